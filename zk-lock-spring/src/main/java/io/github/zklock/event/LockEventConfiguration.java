package io.github.zklock.event;

import io.github.zklock.LockRegistry;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Declares the bean that publishes {@link LockLostEvent} and {@link LockHeldLongEvent} for all lock registries of the
 * context.
 */
@Configuration(proxyBeanMethods = false)
public final class LockEventConfiguration {

    @Bean
    LockEventPublisher zkLockEventPublisher(ConfigurableListableBeanFactory beans, ApplicationEventPublisher context) {
        return new LockEventPublisher(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class), context);
    }
}
