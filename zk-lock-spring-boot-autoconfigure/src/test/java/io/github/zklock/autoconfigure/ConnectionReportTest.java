package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ConnectionReportTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String CLIENT = "ClientCnxn";
    private static final String OURS = "ConnectionReport";

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
    private final LogRecording ours = new LogRecording("io.github.zklock", Level.INFO);
    private LogRecording zookeeper;
    private LocalZooKeeper server;

    @BeforeEach
    void stopServer() {
        zookeeper = new LogRecording("org.apache.zookeeper", null);
        server = new LocalZooKeeper();
        server.stop();
    }

    @AfterEach
    void closeServer() {
        server.close();
        zookeeper.close();
        ours.close();
    }

    @Test
    void startsWithoutServersAndWarnsOnce() {
        contexts().run(context -> {
            await().atMost(LONG).until(() -> ours.messagesOf(OURS), list -> !list.isEmpty());

            assertThat(context).hasNotFailed();
            assertThat(ours.messagesOf(OURS))
                    .singleElement()
                    .asString()
                    .contains(server.connectString())
                    .contains("refuses connections")
                    .contains("logging.level.org.apache.zookeeper.ClientCnxn");
            assertThat(zookeeper.messagesOf(CLIENT)).isEmpty();
        });
    }

    @Test
    void levelThatTheApplicationHasSetStays() {
        zookeeper.close();
        zookeeper = new LogRecording("org.apache.zookeeper", Level.WARN);

        contexts().run(context -> {
            await().atMost(LONG).until(() -> ours.messagesOf(OURS), list -> !list.isEmpty());

            assertThat(ours.messagesOf(OURS)).singleElement().asString().doesNotContain("logging.level");
            assertThat(zookeeper.messagesOf(CLIENT)).isNotEmpty();
        });
    }

    @Test
    void tellsWhenTheConnectionComesAndGoes() {
        contexts().run(context -> {
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 1);

            server.start();
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 2);
            Object levelWhileConnected = levelOfTheClient();
            server.stop();
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 3);

            assertThat(levelWhileConnected).isNull();
            assertThat(ours.messagesOf(OURS).get(1)).contains("Connected").contains(server.connectString());
            assertThat(ours.messagesOf(OURS).get(2)).contains("lost").contains(server.connectString());
            assertThat(levelOfTheClient()).isNotNull();
        });

        assertThat(levelOfTheClient()).isNull();
    }

    @Test
    void saysNothingWhereServersAnswer() {
        server.start();

        contexts().withPropertyValues("zk.lock.connection-timeout=60s").run(context -> {
            await().atMost(LONG).until(() -> server.stat("/locks").isPresent() && levelOfTheClient() == null);

            assertThat(ours.messages()).isEmpty();
        });
    }

    private Object levelOfTheClient() {
        return logging.getLoggerConfiguration("org.apache.zookeeper.ClientCnxn").getConfiguredLevel();
    }

    private ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockStartupAutoConfiguration.class))
                .withBean(LoggingSystem.class, () -> logging)
                .withPropertyValues(
                        "zk.lock.connect-string=" + server.connectString(), "zk.lock.connection-timeout=500ms");
    }
}
