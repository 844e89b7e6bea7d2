package io.github.zklock.autoconfigure.observation;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.CallObserver;
import io.github.zklock.observation.LockObservationConvention;
import io.github.zklock.observation.ObservedCalls;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** Auto-configuration of the observation of methods with {@link io.github.zklock.annotation.DistributedLock}. */
@AutoConfiguration(
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class ZkLockObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(CallObserver.class)
    ObservedCalls zkLockCallObserver(
            ObservationRegistry registry,
            ObjectProvider<LockObservationConvention> conventions,
            AutowireCapableBeanFactory beans) {
        return new ObservedCalls(
                registry,
                conventions.orderedStream().toList(),
                SingletonSupplier.of(
                        () -> beans.resolveNamedBean(LockRegistry.class).getBeanName()));
    }
}
