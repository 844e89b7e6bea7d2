package io.github.zklock.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class QuietClientLoggingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEVEL = "logging.level." + QuietClientLogging.LOGGER;

    @Test
    void attemptsToConnectDuringAnOutageAreNotLogged(CapturedOutput output) throws Exception {
        try (LocalZooKeeper server = new LocalZooKeeper();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(Beans.class)
                        .web(WebApplicationType.NONE)
                        .properties("zk.lock.connect-string=" + server.connectString(), "zk.lock.session-timeout=2s")
                        .run()) {
            LockRegistry registry = context.getBean(LockRegistry.class);
            registry.lock("/outage").tryAcquire().orElseThrow().close();
            // these tests are quieter than an application is
            setLevels(Level.INFO);

            server.stop();

            // the end of a session shows that the client has tried to connect for its whole timeout
            Awaitility.await().atMost(PATIENCE).until(() -> output.getAll().contains("State change: LOST"));
            assertThat(output.getAll())
                    .contains("State change: SUSPENDED")
                    .doesNotContain("Opening socket connection", "Attempting reconnect", "ConnectException");
            server.start();
        } finally {
            setLevels(Level.ERROR);
        }
    }

    private static void setLevels(Level level) {
        Stream.of("org.apache.curator", "org.apache.zookeeper")
                .forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(level));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logging.level.org.apache.zookeeper.ClientCnxn",
                "logging.level.org.apache.zookeeper.clientcnxn",
                "logging.level.org.apache.zookeeper",
                "logging.level.org"
            })
    void levelOfTheUserReplacesTheDefault(String property) {
        assertThat(levelWith(property, "debug")).isNotEqualTo("error");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logging.level.root",
                "logging.level.org.apache.zookeeper.server",
                "logging.level.org.apache.zookeeper.ClientCnxnSocket",
                "zk.lock.unrelated"
            })
    void otherLevelsDoNot(String property) {
        assertThat(levelWith(property, "debug")).isEqualTo("error");
    }

    @Test
    void applicationWithoutLocksLogsAsBefore() {
        assertThat(levelWith("zk.lock.enabled", "false")).isNull();
    }

    private static @Nullable String levelWith(String property, String value) {
        MockEnvironment environment = new MockEnvironment().withProperty(property, value);
        new QuietClientLogging().postProcessEnvironment(environment, new SpringApplication());
        return environment.getProperty(LEVEL);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SslAutoConfiguration.class, ZkLockAutoConfiguration.class})
    static class Beans {}
}
