package io.github.zklock.autoconfigure.observation;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import io.github.zklock.autoconfigure.fence.ZkLockFenceAutoConfiguration;
import io.github.zklock.fence.JdbcFence;
import io.github.zklock.leadership.Leaderships;
import io.github.zklock.observation.FenceMeters;
import io.github.zklock.observation.LeadershipMeters;
import io.github.zklock.observation.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the meters of all registries. */
@AutoConfiguration(
        after = {ZkLockAutoConfiguration.class, ZkLockFenceAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({LockRegistry.class, MeterRegistry.class})
public final class ZkLockMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockMeters zkLockMeters(ConfigurableListableBeanFactory beans, ObjectProvider<ZkLockProperties> properties) {
        List<LockRule> rules =
                properties.stream().flatMap(each -> each.locks().stream()).toList();
        return new LockMeters(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class),
                rules.stream().map(LockRule::name).filter(Objects::nonNull).toList());
    }

    @Bean
    @ConditionalOnMissingBean
    LeadershipMeters zkLockLeadershipMeters(ConfigurableListableBeanFactory beans) {
        return new LeadershipMeters(() -> Leaderships.of(beans));
    }

    @Bean
    @ConditionalOnBean(JdbcFence.class)
    @ConditionalOnMissingBean
    FenceMeters zkLockFenceMeters(ObjectProvider<JdbcFence> fence) {
        return new FenceMeters(fence.getObject()::rejected);
    }
}
