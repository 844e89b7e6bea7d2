package io.github.zklock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.bridge.ZkLockIntegrationAutoConfiguration;
import io.github.zklock.test.InMemoryLockRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;

class ZkLockIntegrationAutoConfigurationTest {

    private final ApplicationContextRunner withoutLocks = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockIntegrationAutoConfiguration.class));

    private final ApplicationContextRunner contexts =
            withoutLocks.withBean("zkLockRegistry", InMemoryLockRegistry.class, InMemoryLockRegistry::new);

    @Test
    void theLocksAreARegistryOfSpringIntegration() {
        contexts.run(context -> {
            var registry = context.getBean(org.springframework.integration.support.locks.LockRegistry.class);
            registry.obtain("key").lock();

            assertThat(context).hasBean("zkLockIntegrationRegistry");
            assertThat(context.getBean(LockRegistry.class).inspector().held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.name()).hasToString("/integration/string/key"));
        });
    }

    @Test
    void theRegistryOfTheApplicationStaysTheOnlyOne() {
        contexts.withBean("lockRegistry", DefaultLockRegistry.class, DefaultLockRegistry::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("zkLockIntegrationRegistry")
                        .hasSingleBean(org.springframework.integration.support.locks.LockRegistry.class));
    }

    @Test
    void withoutLocksThereIsNone() {
        withoutLocks.run(
                context -> assertThat(context).hasNotFailed().doesNotHaveBean(ZkLockIntegrationRegistry.class));
    }

    @Test
    void ofSeveralRegistriesNoneIsChosen() {
        contexts.withBean("second", InMemoryLockRegistry.class, InMemoryLockRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ZkLockIntegrationRegistry.class));
    }

    @Test
    void withoutSpringIntegrationThereIsNone() {
        contexts.withClassLoader(new FilteredClassLoader(DistributedLock.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockIntegrationRegistry"));
    }
}
