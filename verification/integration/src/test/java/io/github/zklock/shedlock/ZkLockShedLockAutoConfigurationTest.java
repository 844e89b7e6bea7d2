package io.github.zklock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.bridge.ZkLockShedLockAutoConfiguration;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ZkLockShedLockAutoConfigurationTest {

    private final ApplicationContextRunner withoutLocks = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockShedLockAutoConfiguration.class));

    private final ApplicationContextRunner contexts =
            withoutLocks.withBean("zkLockRegistry", InMemoryLockRegistry.class, InMemoryLockRegistry::new);

    @Test
    void theLocksAreAProviderOfShedLock() {
        contexts.run(context -> {
            context.getBean(LockProvider.class).lock(task());

            assertThat(context).hasBean("zkLockProvider");
            assertThat(context.getBean(LockRegistry.class).inspector().held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.name()).hasToString("/shedlock/report"));
        });
    }

    @Test
    void theProviderOfTheApplicationStaysTheOnlyOne() {
        contexts.withBean("lockProvider", LockProvider.class, () -> configuration -> Optional.empty())
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("zkLockProvider")
                        .hasSingleBean(LockProvider.class));
    }

    @Test
    void theMinimumHoldOfOthersIsUsed() {
        MinimumHold ours = new MinimumHold();

        contexts.withBean("ours", MinimumHold.class, () -> ours)
                .run(context -> assertThat(context).getBean(MinimumHold.class).isSameAs(ours));
    }

    @Test
    void withoutLocksThereIsNone() {
        withoutLocks.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockProvider.class));
    }

    @Test
    void withoutShedLockThereIsNone() {
        contexts.withClassLoader(new FilteredClassLoader(LockProvider.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockProvider"));
    }

    private static LockConfiguration task() {
        return new LockConfiguration(Instant.now(), "report", Duration.ofMinutes(1), Duration.ZERO);
    }
}
