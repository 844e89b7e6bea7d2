package io.github.zklock.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.EmbeddedZooKeeperExtension;
import io.github.zklock.test.LockAssertions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with Spring Cloud ZooKeeper, whose client the locks use. */
@ExtendWith(OutputCaptureExtension.class)
class SpringCloudZooKeeperTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String SERVICE = "order-shop";

    @RegisterExtension
    final EmbeddedZooKeeperExtension zooKeeper = new EmbeddedZooKeeperExtension();

    @Test
    void locksAndServiceDiscoveryUseOneClient(CapturedOutput output) {
        try (ConfigurableApplicationContext application = start()) {
            application.getBean(Orders.class).count();

            assertThat(application.getBeansOfType(CuratorFramework.class)).containsOnlyKeys("curatorFramework");
            assertThat(instances(application)).hasSize(1);
            // the client's, and the one of the locks
            assertThat(zooKeeper.server().sessions()).isEqualTo(2);
            assertThat(output).doesNotContain("have no effect", "Embedded ZooKeeper server started");
        }
    }

    @Test
    void bothAreHealthy() {
        try (ConfigurableApplicationContext application = start()) {
            HealthEndpoint health = application.getBean(HealthEndpoint.class);

            assertThat(List.of("zookeeper", "zklock"))
                    .extracting(name -> health.healthForPath(name).getStatus())
                    .containsOnly(Status.UP);
        }
    }

    @Test
    void aLockSurvivesTheSessionOfServiceDiscovery() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            LockHandle handle =
                    application.getBean(LockRegistry.class).lock("/orders").acquire(LONG);

            zooKeeper.expireSession(application.getBean(CuratorFramework.class));

            // Spring Cloud registers the instance again in its next session
            Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(instances(application)).hasSize(1));
            LockAssertions.assertThat(handle).isHeld();
            handle.close();
        }
    }

    @Test
    void aRegistrationSurvivesTheSessionOfTheLocks() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            LockRegistry locks = application.getBean(LockRegistry.class);
            LockHandle handle = locks.lock("/orders").acquire(LONG);

            zooKeeper.expireSession(locks);

            Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> LockAssertions.assertThat(handle).isLost());
            assertThat(instances(application)).hasSize(1);
            application.getBean(Orders.class).count();
        }
    }

    @Test
    void aStopEndsBothSessionsWithoutAnError(CapturedOutput output) {
        ConfigurableApplicationContext application = start();
        application.getBean(Orders.class).count();

        application.close();

        Awaitility.await().atMost(LONG).until(() -> zooKeeper.server().sessions() == 0);
        assertThat(output.getAll().lines().filter(line -> line.contains(" ERROR ")))
                .isEmpty();
    }

    @Test
    void aConnectStringForTheLocksIsNamedAsWithoutEffect(CapturedOutput output) {
        try (ConfigurableApplicationContext application = start("--zk.lock.connect-string=elsewhere.invalid:2181")) {
            application.getBean(Orders.class).count();

            assertThat(output).contains("these properties have no effect: zk.lock.connect-string;");
        }
    }

    private ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.application.name=" + SERVICE,
                "--spring.cloud.zookeeper.connect-string=" + zooKeeper.connectString(),
                "--server.port=0"));
        arguments.addAll(List.of(more));
        return SpringApplication.run(Application.class, arguments.toArray(String[]::new));
    }

    private static List<?> instances(ConfigurableApplicationContext application) {
        return application.getBean(DiscoveryClient.class).getInstances(SERVICE);
    }

    static class Orders {

        @DistributedLock("/orders")
        public void count() {
            LockContext.assertHeld("/orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }
}
