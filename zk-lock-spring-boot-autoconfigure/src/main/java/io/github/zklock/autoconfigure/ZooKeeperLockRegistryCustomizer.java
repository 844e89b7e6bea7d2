package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;

/**
 * Customizes the lock registry before it is built, after {@code zk.lock.*} is applied. Beans of this type are called in
 * their order.
 */
@FunctionalInterface
public interface ZooKeeperLockRegistryCustomizer {

    /** Customizes the builder, for example by adding a listener. */
    void customize(ZooKeeperLockRegistry.Builder builder);
}
