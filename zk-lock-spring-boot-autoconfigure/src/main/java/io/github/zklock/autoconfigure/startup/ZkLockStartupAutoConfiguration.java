package io.github.zklock.autoconfigure.startup;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.internal.client.RegistryClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the start-up behavior if ZooKeeper cannot be reached, by {@code zk.lock.startup-timeout}. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass({CuratorFramework.class, ZooKeeper.class})
@ConditionalOnBean(value = RegistryClient.class, search = SearchStrategy.CURRENT)
public final class ZkLockStartupAutoConfiguration {

    @Bean
    StartupCheck zkLockStartupCheck(RegistryClient client, ZkLockProperties properties) {
        return new StartupCheck(
                new AccessCheck(client.framework(), properties.basePath(), client.acls()),
                new ConnectionReport(client.framework(), properties.connectionTimeout()),
                properties.startupTimeout());
    }
}
