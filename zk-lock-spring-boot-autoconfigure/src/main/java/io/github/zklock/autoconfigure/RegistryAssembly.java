package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;

/** Builds a registry from {@code zk.lock.*}. */
final class RegistryAssembly {

    private final ZkLockProperties properties;

    RegistryAssembly(ZkLockProperties properties) {
        this.properties = properties;
    }

    ZooKeeperLockRegistry build(
            CuratorFramework client, Optional<String> instance, List<ZooKeeperLockRegistryCustomizer> customizers) {
        ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder()
                .client(client)
                .connectionTimeout(properties.getConnectionTimeout())
                .retry(
                        properties.getRetry().getInitialInterval(),
                        properties.getRetry().getMaxInterval())
                .basePath(properties.getBasePath())
                .policy(properties.lockPolicies())
                .onClose(properties.getOnClose())
                .seatBudget(properties.getSeatBudget().toBytes())
                // the application context closes the registry, in the order of its phases
                .closeOnExit(false);
        instance.ifPresent(builder::instance);
        List<String> acl = properties.getAcl();
        if (acl != null) {
            builder.acl(AccessList.parse(acl));
        }
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }
}
