package io.github.zklock.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;

@RequiresZooKeeperImage
class EnsembleTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void anEnsembleIsTheConnectionDetailsOfTheApplication() {
        ContainerContexts.of(Application.class)
                .withPropertyValues("zk.lock.session-timeout=6s")
                .run(context -> {
                    Ensemble ensemble = context.getBean(Ensemble.class);
                    ContainerContexts.takesALock(context);

                    await().atMost(LONG).until(() -> ensemble.followers().size() == 2);
                    // the others need no election, which is a matter of their network and not of ours
                    ensemble.followers().get(0).stop();

                    LockHandle handle = context.getBean(LockRegistry.class)
                            .lock("/after-a-failure")
                            .acquire(LONG);
                    assertThat(handle.isHeld()).isTrue();
                    handle.close();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Ensemble ensemble() {
            return new Ensemble();
        }

        @Bean
        ZkLockConnectionDetails connectionDetails(Ensemble ensemble) {
            return () ->
                    ensemble.servers.stream().map(ZooKeeperServer::hostAndPort).collect(Collectors.joining(","));
        }

        /** Not the way to an ensemble: it would be the only server that the locks know. */
        @Bean
        @ServiceConnection("zookeeper")
        ZooKeeperServer one(Ensemble ensemble) {
            return ensemble.servers.get(0);
        }
    }

    /** Three servers that know each other by the names of their hosts. */
    static final class Ensemble implements AutoCloseable {

        private final Network network = Network.newNetwork();

        final List<ZooKeeperServer> servers =
                IntStream.rangeClosed(1, 3).mapToObj(this::server).toList();

        Ensemble() {
            try {
                Startables.deepStart(servers).join();
            } catch (RuntimeException failed) {
                close();
                throw failed;
            }
        }

        List<ZooKeeperServer> followers() {
            return servers.stream().filter(ZooKeeperServer::isFollower).toList();
        }

        private ZooKeeperServer server(int id) {
            return new ZooKeeperServer()
                    .withNetwork(network)
                    .withNetworkAliases("zoo" + id)
                    .withEnv("ZOO_MY_ID", String.valueOf(id))
                    .withEnv("ZOO_TICK_TIME", "500")
                    .withEnv("ZOO_INIT_LIMIT", "20")
                    .withEnv("ZOO_SYNC_LIMIT", "10")
                    .withEnv(
                            "ZOO_SERVERS",
                            IntStream.rangeClosed(1, 3)
                                    .mapToObj(each -> "server." + each + "=zoo" + each + ":2888:3888;2181")
                                    .collect(Collectors.joining(" ")));
        }

        @Override
        public void close() {
            servers.forEach(ZooKeeperServer::stop);
            network.close();
        }
    }
}
