package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.timeline.LockSpec;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The lock registry of Spring Integration. */
final class SpringIntegrationEngine extends PeerEngine {

    private final ZookeeperLockRegistry registry;

    SpringIntegrationEngine(ClientConfig config) {
        this(new PeerClient(config.connectString(), config.sessionTimeout()), config.basePath());
    }

    private SpringIntegrationEngine(PeerClient client, String basePath) {
        super(client);
        registry = new ZookeeperLockRegistry(client.curator(), basePath);
    }

    @Override
    PeerLock lock(LockSpec spec) {
        if (spec.kind() != LockKind.EXCLUSIVE) {
            throw new IllegalArgumentException("Spring Integration's registry has exclusive locks only, no " + spec);
        }
        return new SpringIntegrationLock(registry.obtain(spec.lock()));
    }

    @Override
    public void close() {
        registry.destroy();
        super.close();
    }
}
