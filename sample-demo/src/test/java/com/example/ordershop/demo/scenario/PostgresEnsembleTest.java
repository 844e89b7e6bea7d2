package com.example.ordershop.demo.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.demo.process.Servers;
import com.example.ordershop.demo.process.ShopCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Runs scenarios on PostgreSQL and an ensemble of three ZooKeeper servers. */
@RequiresImages({PostgresEnsembleTest.ZOOKEEPER, PostgresEnsembleTest.POSTGRES})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresEnsembleTest {

    static final String ZOOKEEPER = "zookeeper:3.9";
    static final String POSTGRES = "postgres:15";

    private static final int CLIENT_PORT = 2181;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Network network = Network.newNetwork();
    private final List<GenericContainer<?>> ensemble = IntStream.rangeClosed(1, 3)
            .<GenericContainer<?>>mapToObj(this::zooKeeper)
            .toList();
    private final PostgreSQLContainer database = new PostgreSQLContainer(POSTGRES).withStartupTimeout(LONG);
    private ShopCluster cluster;

    @BeforeAll
    void open() {
        Startables.deepStart(Stream.concat(ensemble.stream(), Stream.of(database)))
                .join();
        String servers = ensemble.stream()
                .map(server -> server.getHost() + ":" + server.getMappedPort(CLIENT_PORT))
                .collect(Collectors.joining(","));
        cluster = ShopCluster.on(
                new Servers(servers, database.getJdbcUrl(), database.getUsername(), database.getPassword()),
                System.out::println);
    }

    @AfterAll
    void close() {
        if (cluster != null) {
            cluster.close();
        }
        ensemble.forEach(GenericContainer::stop);
        database.stop();
        network.close();
    }

    @Test
    void withoutTheLockOrdersAreLost() throws InterruptedException {
        Verdict verdict = Scenario.OFF.run(cluster, 3);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).startsWith("wrong totals in 3 of 3 runs");
    }

    @Test
    void underTheLockEveryOrderIsCounted() throws InterruptedException {
        Verdict verdict = Scenario.ON.run(cluster, 3);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text())
                .startsWith("right totals in 3 of 3 runs: 600 orders completed, 600 in the statistics");
    }

    @Test
    void theLateWriteOfAPausedHolderIsRejectedAndTheLossReported() throws InterruptedException {
        Verdict verdict = Scenario.PAUSED.run(cluster, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).contains("was rejected", "the holder received the loss");
    }

    private GenericContainer<?> zooKeeper(int id) {
        return new GenericContainer<>(ZOOKEEPER)
                .withNetwork(network)
                .withNetworkAliases("zoo" + id)
                .withEnv("SERVER_JVMFLAGS", "-Xmx64m -XX:TieredStopAtLevel=1")
                .withEnv("ZOO_MY_ID", String.valueOf(id))
                .withEnv("ZOO_TICK_TIME", "500")
                .withEnv("ZOO_INIT_LIMIT", "20")
                .withEnv("ZOO_SYNC_LIMIT", "10")
                .withEnv(
                        "ZOO_SERVERS",
                        IntStream.rangeClosed(1, 3)
                                .mapToObj(each -> "server." + each + "=zoo" + each + ":2888:3888;2181")
                                .collect(Collectors.joining(" ")))
                .withExposedPorts(CLIENT_PORT)
                .withStartupTimeout(LONG);
    }
}
