package io.github.zklock.autoconfigure;

import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Customizes the client of the lock registry before it is built, after {@code zk.lock.*} is applied. Beans of this type
 * are called in their order. If the application has a {@code CuratorFramework} bean of its own, they have no effect.
 */
@FunctionalInterface
public interface CuratorFrameworkBuilderCustomizer {

    /** Customizes the builder. Do not replace its {@code zookeeperFactory}: losses would be detected later. */
    void customize(CuratorFrameworkFactory.Builder builder);
}
