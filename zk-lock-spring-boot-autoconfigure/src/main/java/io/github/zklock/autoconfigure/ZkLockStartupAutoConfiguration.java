package io.github.zklock.autoconfigure;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the start-up behavior if ZooKeeper cannot be reached, by {@code zk.lock.startup}. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass({CuratorFramework.class, ZooKeeper.class})
@ConditionalOnBean(value = ZkLockAutoConfiguration.OwnRegistry.class, search = SearchStrategy.CURRENT)
public final class ZkLockStartupAutoConfiguration {

    @Bean
    StartupCheck zkLockStartupCheck(
            ListableBeanFactory beans, ZkLockProperties properties, ObjectProvider<ZkLockConnectionDetails> details) {
        CuratorFramework client = ClientChoice.from(beans);
        boolean ours = beans.getBeanNamesForType(ZkLockAutoConfiguration.OwnClient.class).length > 0;
        List<String> acl = properties.getAcl();
        ZkLockConnectionDetails used = ours ? details.getIfAvailable() : null;
        return new StartupCheck(
                new AccessCheck(client, properties.getBasePath(), acl == null ? null : AccessList.parse(acl)),
                new ConnectionReport(
                        client, properties.getConnectionTimeout(), () -> used == null ? null : used.getSslBundle()),
                properties);
    }
}
