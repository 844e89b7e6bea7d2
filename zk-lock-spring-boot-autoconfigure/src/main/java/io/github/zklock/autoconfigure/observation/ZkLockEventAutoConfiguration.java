package io.github.zklock.autoconfigure.observation;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.event.LockEventConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Auto-configuration of the application events about locks. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnBean(LockRegistry.class)
@Import(LockEventConfiguration.class)
public final class ZkLockEventAutoConfiguration {}
