package io.github.zklock.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class ReplacedRegistriesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockTestAutoConfiguration.class))
            .withPropertyValues("zk.lock.test.server=IN_MEMORY");

    @Test
    void registriesOfTheApplicationAreReplacedUnderTheirNames() {
        runner.withUserConfiguration(TwoRegistries.class).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasBean("first")
                    .hasBean("second")
                    .doesNotHaveBean("zkLockRegistry");
            assertThat(context.getBeansOfType(LockRegistry.class).values())
                    .hasSize(2)
                    .hasOnlyElementsOfType(InMemoryLockRegistry.class);
            assertThat(context.getBean(LockRegistry.class)).isSameAs(context.getBean("second"));
        });
    }

    @Test
    void aReplacedRegistryIsInjectedAsInProduction() {
        runner.withUserConfiguration(SecondRegistry.class).run(context -> {
            assertThat(context).hasNotFailed().hasBean("zkLockRegistry").hasBean("elsewhere");
            assertThat(context.getBean(LockRegistry.class)).isSameAs(context.getBean("zkLockRegistry"));
            assertThat(context.getBean(SecondRegistry.User.class).registry()).isSameAs(context.getBean("elsewhere"));
        });
    }

    @Test
    void replacedRegistriesAreProcessesOfOneCluster() {
        runner.withUserConfiguration(TwoRegistries.class).run(context -> {
            LockRegistry first = context.getBean("first", LockRegistry.class);
            LockRegistry second = context.getBean("second", LockRegistry.class);

            try (LockHandle handle = first.lock("/x").acquire()) {
                assertThat(second.lock("/x").tryAcquire()).isEmpty();
                assertThat(handle.isHeld()).isTrue();
            }
        });
    }

    @Test
    void aRegistryInMemoryOfTheApplicationIsKept() {
        InMemoryLockRegistry own = new InMemoryLockRegistry();

        runner.withBean("own", InMemoryLockRegistry.class, () -> own)
                .run(context -> assertThat(context.getBean(LockRegistry.class)).isSameAs(own));
    }

    @Test
    void settingsOfTheApplicationApply() {
        runner.withPropertyValues(
                        "zk.lock.instance-id=shop-1",
                        "zk.lock.session-timeout=7s",
                        "zk.lock.max-hold=1m",
                        "zk.lock.hold-warning-threshold=0")
                .run(context -> {
                    LockRegistry registry = context.getBean(LockRegistry.class);

                    assertThat(registry).hasToString("InMemoryLockRegistry[shop-1]");
                    assertThat(registry.inspector().session().timeout()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void limitsOfSingleLocksApply() {
        runner.withPropertyValues("zk.lock.locks[0].name=/short/*", "zk.lock.locks[0].max-hold=1ms")
                .run(context -> {
                    LockRegistry registry = context.getBean(LockRegistry.class);
                    LockHandle unlimited = registry.lock("/long/1").acquire();
                    LockHandle limited = registry.lock("/short/1").acquire();

                    Awaitility.await()
                            .atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(limited.state()).isEqualTo(LockState.LOST));
                    assertThat(unlimited.isHeld()).isTrue();
                    unlimited.close();
                });
    }

    @Test
    void generalLimitsDoNotApplyIfARuleRemovesThem() {
        runner.withPropertyValues(
                        "zk.lock.max-hold=1ms", "zk.lock.locks[0].name=/lifted", "zk.lock.locks[0].max-hold=0")
                .withUserConfiguration(TwoRegistries.class)
                .run(context -> {
                    LockRegistry replaced = context.getBean("first", LockRegistry.class);
                    LockHandle lifted = replaced.lock("/lifted").acquire();
                    LockHandle limited = replaced.lock("/limited").acquire();

                    Awaitility.await()
                            .atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(limited.state()).isEqualTo(LockState.LOST));
                    assertThat(lifted.isHeld()).isTrue();
                    lifted.close();
                });
    }

    @Test
    void anInvalidSettingFailsTheStartAsInProduction() {
        runner.withPropertyValues("zk.lock.handoff.linger=-1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.handoff.linger -1s is negative"));
    }

    @Test
    void noBeansAreDeclaredWithoutTheAnnotation() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZkLockTestAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondRegistry {

        record User(LockRegistry registry) {}

        @Qualifier("archive") @Bean(defaultCandidate = false)
        LockRegistry elsewhere() {
            throw new IllegalStateException("A client of ZooKeeper would be made here");
        }

        @Bean
        User user(@Qualifier("archive") LockRegistry registry) {
            return new User(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoRegistries {

        @Bean
        LockRegistry first() {
            return unreachable();
        }

        @Bean
        @Primary
        ZooKeeperLockRegistry second() {
            return unreachable();
        }

        private static ZooKeeperLockRegistry unreachable() {
            throw new IllegalStateException("A client of ZooKeeper would be made here");
        }
    }
}
