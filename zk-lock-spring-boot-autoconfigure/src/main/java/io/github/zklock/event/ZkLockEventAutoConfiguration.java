package io.github.zklock.event;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of {@link LockLostEvent} and {@link LockHeldLongEvent}. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnBean(LockRegistry.class)
public final class ZkLockEventAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockEventPublisher zkLockEventPublisher(ConfigurableListableBeanFactory beans, ApplicationEventPublisher context) {
        return new LockEventPublisher(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class), context);
    }
}
