package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.integration.ZkLockIntegrationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * Auto-configuration of Spring Integration's lock registry, if its jar is present, as the bean {@code
 * zkLockIntegrationRegistry}. The application passes the bean to the components that use it.
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(DistributedLock.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class ZkLockIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(org.springframework.integration.support.locks.LockRegistry.class)
    ZkLockIntegrationRegistry zkLockIntegrationRegistry(LockRegistry locks) {
        return new ZkLockIntegrationRegistry(locks, "/integration");
    }
}
