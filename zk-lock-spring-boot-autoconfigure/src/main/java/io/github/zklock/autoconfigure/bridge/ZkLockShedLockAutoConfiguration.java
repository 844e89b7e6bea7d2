package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.shedlock.MinimumHold;
import io.github.zklock.shedlock.ZkLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of ShedLock's lock provider, if its jar is present, as the bean {@code zkLockProvider}. */
@AutoConfiguration(after = {ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class})
@ConditionalOnClass(LockProvider.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class ZkLockShedLockAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MinimumHold zkLockMinimumHold() {
        return new MinimumHold();
    }

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    ZkLockProvider zkLockProvider(LockRegistry locks, MinimumHold minimumHold) {
        return new ZkLockProvider(locks, minimumHold, "/shedlock");
    }
}
