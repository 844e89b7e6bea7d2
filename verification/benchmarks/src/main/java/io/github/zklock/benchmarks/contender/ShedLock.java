package io.github.zklock.benchmarks.contender;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;

/** ShedLock's provider, which never waits. */
final class ShedLock implements Contender {

    /** Longer than any measurement: an expired lock is free. */
    private static final Duration AT_MOST = Duration.ofDays(1);

    private final CuratorFramework client;
    private final LockProvider provider;

    ShedLock(String servers) {
        client = Clients.connect(servers);
        provider = new ZookeeperCuratorLockProvider(client, "/shedlock");
    }

    @Override
    public LockAdapter exclusive(String name) {
        return new LockAdapter() {

            @Override
            public Held acquire() {
                return tryAcquire().orElseThrow(() -> new IllegalStateException(name + " is not free"));
            }

            @Override
            public Optional<Held> tryAcquire() {
                LockConfiguration lock = new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO);
                return provider.lock(lock).map(taken -> taken::unlock);
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
