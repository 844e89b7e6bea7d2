package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.fence.JdbcFence;
import io.github.zklock.leadership.Leaderships;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the health contributor {@code zklock}: one indicator for each registry. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnBean(LockRegistry.class)
@ConditionalOnEnabledHealthIndicator("zklock")
public final class ZkLockHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<LockHealthIndicator, LockRegistry> {

    /** The leaderships and the fence of the context are shown with its only registry, or with the primary one. */
    ZkLockHealthAutoConfiguration(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LockRegistry> registries,
            ObjectProvider<JdbcFence> fence) {
        super(registry -> new LockHealthIndicator(
                registry.inspector(),
                // at each check, because a leadership may depend on the health
                () -> registry == registries.getIfUnique() ? Leaderships.of(beans) : List.of(),
                () -> registry == registries.getIfUnique()
                        ? Optional.ofNullable(fence.getIfAvailable())
                        : Optional.empty()));
    }

    @Bean
    @ConditionalOnMissingBean(name = {"zklockHealthIndicator", "zklockHealthContributor"})
    HealthContributor zklockHealthContributor(ConfigurableListableBeanFactory beans) {
        return createContributor(beans, LockRegistry.class);
    }
}
