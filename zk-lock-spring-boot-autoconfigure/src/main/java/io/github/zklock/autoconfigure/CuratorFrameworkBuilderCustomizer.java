package io.github.zklock.autoconfigure;

import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Changes the client of the lock registry before it is built, after {@code zk.lock.*} was applied. Beans of this type
 * are called in their order. Without effect if the application has a {@code CuratorFramework} bean of its own.
 */
@FunctionalInterface
public interface CuratorFrameworkBuilderCustomizer {

    /** Changes the builder. Do not replace its {@code zookeeperFactory}: losses would be told later. */
    void customize(CuratorFrameworkFactory.Builder builder);
}
