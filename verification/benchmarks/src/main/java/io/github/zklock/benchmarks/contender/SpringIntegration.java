package io.github.zklock.benchmarks.contender;

import java.util.concurrent.Callable;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The lock registry of Spring Integration. */
final class SpringIntegration implements Contender {

    private final CuratorFramework client;
    private final ZookeeperLockRegistry registry;

    SpringIntegration(String servers) {
        client = Clients.connect(servers);
        registry = new ZookeeperLockRegistry(client, "/spring-integration");
    }

    @Override
    public LockAdapter exclusive(String name) {
        return LockAdapter.of(registry.obtain(name));
    }

    @Override
    public Callable<Boolean> attempt(String name) {
        return registry.obtain(name)::tryLock;
    }

    @Override
    public void close() {
        registry.destroy();
        client.close();
    }
}
