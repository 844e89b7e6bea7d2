package io.github.zklock.autoconfigure;

import io.github.zklock.autoconfigure.internal.client.RegistryClient;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Optional;

/** Builds a registry from {@code zk.lock.*}. */
final class RegistryAssembly {

    private final ZkLockProperties properties;

    RegistryAssembly(ZkLockProperties properties) {
        this.properties = properties;
    }

    ZooKeeperLockRegistry build(
            RegistryClient client, Optional<String> instance, List<ZooKeeperLockRegistryCustomizer> customizers) {
        ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder()
                .client(client.framework())
                .connectionTimeout(properties.getConnectionTimeout())
                .retry(
                        properties.getRetry().getInitialInterval(),
                        properties.getRetry().getMaxInterval())
                .basePath(properties.getBasePath())
                .policy(properties.lockPolicies())
                .onClose(properties.getOnClose())
                .lockOrder(properties.getLockOrder())
                .onDeadlock(properties.getOnDeadlock())
                .seatBudget(properties.getSeatBudget().toBytes())
                // the application context closes the registry, in the order of its phases
                .closeOnExit(false);
        instance.ifPresent(builder::instance);
        if (client.acls() != null) {
            builder.acl(client.acls());
        }
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }
}
