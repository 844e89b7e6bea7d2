package io.github.zklock.benchmarks.contender;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;

/** ShedLock's provider, which never waits. */
final class ShedLock implements Contender {

    /** Longer than any measurement: an expired lock is free. */
    private static final Duration AT_MOST = Duration.ofDays(1);

    private final CuratorFramework client;
    private final ZookeeperCuratorLockProvider provider;

    ShedLock(String servers) {
        client = Clients.connect(servers);
        provider = new ZookeeperCuratorLockProvider(client, "/shedlock");
    }

    @Override
    public LockAdapter exclusive(String name) {
        return () -> lock(name).orElseThrow(() -> new IllegalStateException(name + " is not free"))::unlock;
    }

    @Override
    public Callable<Boolean> attempt(String name) {
        return () -> lock(name).isPresent();
    }

    @Override
    public void close() {
        client.close();
    }

    private Optional<SimpleLock> lock(String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO));
    }
}
