package io.github.zklock.autoconfigure.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ConnectionReportTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String OURS = "ConnectionReport";

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
    private final LogRecording ours = new LogRecording("io.github.zklock", Level.INFO);
    private LocalZooKeeper server;

    @BeforeEach
    void stopServer() {
        server = new LocalZooKeeper();
        server.stop();
    }

    @AfterEach
    void closeServer() {
        server.close();
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
                    .contains(server.connectString(), "zk.lock.connect-string", "ClientCnxn");
        });
    }

    @Test
    void noLevelOfZooKeepersLoggersChangesInAnOutage() {
        contexts().run(context -> {
            await().atMost(LONG).until(() -> ours.messagesOf(OURS), list -> !list.isEmpty());

            assertThat(configuredLevel("org.apache.zookeeper.ClientCnxn")).isNull();
            assertThat(configuredLevel("org.apache.zookeeper.client.StaticHostProvider"))
                    .isNull();
        });
    }

    @Test
    void logsTheLossAndTheReturnOfTheConnection() {
        contexts().run(context -> {
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 1);

            server.start();
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 2);
            server.stop();
            await().atMost(LONG).until(() -> ours.messagesOf(OURS).size() == 3);

            assertThat(ours.messagesOf(OURS).get(1)).contains("Connected").contains(server.connectString());
            assertThat(ours.messagesOf(OURS).get(2)).contains("lost").contains(server.connectString());
        });
    }

    @Test
    void logsNothingIfTheServersAnswer() {
        server.start();

        contexts().withPropertyValues("zk.lock.connection-timeout=60s").run(context -> {
            await().atMost(LONG).until(() -> server.stat("/locks").isPresent());

            assertThat(ours.messages()).isEmpty();
        });
    }

    private static @Nullable Object configuredLevel(String logger) {
        return ((Logger) LoggerFactory.getLogger(logger)).getLevel();
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
