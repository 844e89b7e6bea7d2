package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Session;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

class HealthTest {

    private static final String CONTRIBUTOR = "zklockHealthContributor";

    private static LocalZooKeeper server;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockHealthAutoConfiguration.class))
            .withBean("zkLockRegistry", LockRegistry.class, () -> registry(server.connectString()));

    @BeforeAll
    static void start() {
        server = new LocalZooKeeper();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anIdleSessionIsUp() {
        application.run(context -> {
            HealthIndicator zklock = context.getBean(CONTRIBUTOR, HealthIndicator.class);

            Awaitility.await().until(() -> zklock.health().getStatus().equals(Status.UP));

            assertThat(zklock.health().getDetails())
                    .containsEntry("connected", true)
                    .containsEntry("held", 0)
                    .containsEntry("waiting", 0)
                    .containsKeys("session", "timeout", "remaining");
        });
    }

    @Test
    void aSessionWithLocksIsUpWhileItIsProven() {
        application.run(context -> {
            HealthIndicator zklock = context.getBean(CONTRIBUTOR, HealthIndicator.class);

            try (LockHandle handle =
                    context.getBean(LockRegistry.class).lock("/health").acquire()) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(zklock.health().getStatus()).isEqualTo(Status.UP);
                assertThat(zklock.health().getDetails()).containsEntry("held", 1);
            }
        });
    }

    @Test
    void aRegistryThatWasNeverConnectedIsDown() {
        application
                .withBean("zkLockRegistry", LockRegistry.class, () -> registry("127.0.0.1:1"))
                .withAllowBeanDefinitionOverriding(true)
                .run(context -> {
                    Health health =
                            context.getBean(CONTRIBUTOR, HealthIndicator.class).health();

                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails())
                            .containsEntry("connected", false)
                            .containsEntry("reason", "There is no session: no lock can be acquired");
                });
    }

    @Test
    void severalRegistriesAreReportedSeparately() {
        application
                .withBean("elsewhere", LockRegistry.class, () -> registry("127.0.0.1:1"))
                .run(context -> assertThat(context.getBean(CONTRIBUTOR, CompositeHealthContributor.class).stream())
                        .extracting(entry -> entry.name())
                        .containsExactlyInAnyOrder("zkLockRegistry", "elsewhere"));
    }

    @Test
    void leadershipsAreADetailOfTheirRegistry() {
        application
                .withBean(
                        "elsewhere", LockRegistry.class, () -> registry("127.0.0.1:1"), bean -> bean.setFallback(true))
                .withBean("leader", Leadership.class, () -> leadership("/leader", true))
                .withBean("candidate", Leadership.class, () -> leadership("/candidate", false))
                .run(context -> {
                    CompositeHealthContributor zklock = context.getBean(CONTRIBUTOR, CompositeHealthContributor.class);

                    assertThat(health(zklock, "zkLockRegistry").getDetails())
                            .containsEntry("leaderships", Map.of("/leader", "leader", "/candidate", "candidate"));
                    assertThat(health(zklock, "elsewhere").getDetails()).doesNotContainKey("leaderships");
                });
    }

    @Test
    void leadershipsOfAParentAreADetailAsWell() {
        new ApplicationContextRunner()
                .withBean("leader", Leadership.class, () -> leadership("/parent", true))
                .run(parent -> application.withParent(parent).run(context -> {
                    HealthIndicator zklock = context.getBean(CONTRIBUTOR, HealthIndicator.class);

                    assertThat(zklock.health().getDetails()).containsEntry("leaderships", Map.of("/parent", "leader"));
                }));
    }

    @Test
    void theHealthCreatesNoLeadership() {
        application.withUserConfiguration(Dependent.class).run(context -> {
            HealthIndicator zklock = context.getBean(CONTRIBUTOR, HealthIndicator.class);

            assertThat(zklock.health().getDetails()).containsEntry("leaderships", Map.of("/own", "candidate"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Dependent {

        @Bean
        Leadership own(HealthContributor zklock) {
            assertThat(zklock).isNotNull();
            return leadership("/own", false);
        }

        @Bean
        @Scope("prototype")
        Leadership further() {
            throw new IllegalStateException("a further candidate was created");
        }
    }

    @Test
    void aCandidateIsNotTheCauseOfAnOutage() {
        application
                .withBean("candidate", Leadership.class, () -> leadership("/candidate", false))
                .run(context -> {
                    HealthIndicator zklock = context.getBean(CONTRIBUTOR, HealthIndicator.class);

                    Awaitility.await().until(() -> zklock.health().getStatus().equals(Status.UP));
                });
    }

    @Test
    void isAbsentIfDisabled() {
        application
                .withPropertyValues("management.health.zklock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
    }

    @Test
    void isAbsentWithoutTheHealthModule() {
        application
                .withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CONTRIBUTOR));
    }

    @Test
    void isAbsentWithoutARegistry() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZkLockHealthAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CONTRIBUTOR));
    }

    @Test
    void backsOff() {
        HealthIndicator own = () -> Health.up().build();
        application
                .withBean("zklockHealthIndicator", HealthIndicator.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(HealthContributor.class)).isSameAs(own));
    }

    @Test
    void aSuspendedSessionIsDownEvenWhileConnected() {
        Health health = healthOf(new Session(true, "1f", Duration.ofSeconds(20), Duration.ZERO, 7, 0, 0, 0), 1);

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails())
                .containsEntry("connected", true)
                .containsEntry("reason", "The session is not proven to be alive: held locks are suspended");
    }

    @Test
    void aLostConnectionIsDownWithTheNumberOfHeldLocks() {
        Health health =
                healthOf(new Session(false, "1f", Duration.ofSeconds(20), Duration.ofSeconds(3), 7, 0, 0, 0), 2);

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails())
                .containsEntry("session", "1f")
                .containsEntry("remaining", "PT3S")
                .containsEntry("held", 2)
                .containsEntry("reason", "The connection is lost: no lock can be acquired, held locks may be lost");
    }

    /** Returns the health of a simulated session, because a real session does not stay in such a state long enough. */
    private static Health healthOf(Session session, int held) {
        LockInspector inspector = (LockInspector) Proxy.newProxyInstance(
                HealthTest.class.getClassLoader(),
                new Class<?>[] {LockInspector.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "session" -> session;
                    case "held" -> Collections.nCopies(held, null);
                    default -> List.of();
                });
        return new LockHealthIndicator(inspector, List::of, Optional::empty).health();
    }

    private static Health health(CompositeHealthContributor contributor, String registry) {
        return ((HealthIndicator) Objects.requireNonNull(contributor.getContributor(registry))).health();
    }

    /** Returns a simulated leadership, because a real one becomes the leader when there is no other candidate. */
    private static Leadership leadership(String name, boolean leads) {
        return (Leadership) Proxy.newProxyInstance(
                HealthTest.class.getClassLoader(),
                new Class<?>[] {Leadership.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> LockName.of(name);
                    case "isLeader" -> leads;
                    case "hashCode" -> name.hashCode();
                    default -> null;
                });
    }

    private static LockRegistry registry(String servers) {
        return ZooKeeperLockRegistry.builder().connectString(servers).build();
    }
}
