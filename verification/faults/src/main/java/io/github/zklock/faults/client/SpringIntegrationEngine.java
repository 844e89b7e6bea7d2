package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.record.Wish;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The lock registry of Spring Integration. */
final class SpringIntegrationEngine extends PeerEngine {

    private final ZookeeperLockRegistry registry;

    SpringIntegrationEngine(Place place) {
        this(new PeerClient(place.connectString(), place.sessionTimeout()), place.basePath());
    }

    private SpringIntegrationEngine(PeerClient client, String basePath) {
        super(client);
        registry = new ZookeeperLockRegistry(client.curator(), basePath);
    }

    @Override
    PeerLock lock(Wish wish) {
        if (wish.kind() != LockKind.EXCLUSIVE) {
            throw new IllegalArgumentException("Spring Integration's registry has exclusive locks only, no " + wish);
        }
        return new SpringIntegrationLock(registry.obtain(wish.lock()));
    }

    @Override
    public void close() {
        registry.destroy();
        super.close();
    }
}
