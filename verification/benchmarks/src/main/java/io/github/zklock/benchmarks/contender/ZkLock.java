package io.github.zklock.benchmarks.contender;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import org.apache.curator.framework.CuratorFramework;

/** This library. */
final class ZkLock implements Contender {

    private static final String BASE = "/locks";

    /** The seat budget of one process, in bytes. A server with its defaults reads up to two million. */
    private static final long TEN_THOUSAND_SEATS = 1_500_000;

    private final CuratorFramework client;
    private final HandOff handOff;
    private final boolean async;
    private final List<ZooKeeperLockRegistry> registries = new ArrayList<>();
    private final ZooKeeperLockRegistry locks;

    /** @param async whether to acquire by futures, for which the measuring thread waits */
    ZkLock(String servers, HandOff handOff, boolean async) {
        this.async = async;
        this.client = Clients.connect(ZooKeeperLockRegistry.clientBuilder(), servers);
        this.handOff = handOff;
        this.locks = registry();
    }

    @Override
    public LockAdapter exclusive(String name) {
        return adapter(locks.lock(name));
    }

    @Override
    public LockAdapter reading(String name) {
        return adapter(locks.readWriteLock(name).readLock());
    }

    @Override
    public LockAdapter writing(String name) {
        return adapter(locks.readWriteLock(name).writeLock());
    }

    @Override
    public LockAdapter permit(String name, int of) {
        ClusterSemaphore semaphore = locks.semaphore(name, of);
        return new LockAdapter() {

            @Override
            public Held acquire() throws InterruptedException {
                return semaphore.acquire()::close;
            }

            @Override
            public Optional<Held> tryAcquire() throws InterruptedException {
                return semaphore.tryAcquire().map(handle -> handle::close);
            }
        };
    }

    @Override
    public LockAdapter all(List<String> names) {
        return adapter(locks.allOf(names.toArray(String[]::new)));
    }

    /**
     * Each waiter has a registry of its own, like a process: waiters of one registry would not ask the servers for
     * their turn.
     */
    @Override
    public List<LockAdapter> waiters(String name, int length) {
        List<LockAdapter> waiters = new ArrayList<>();
        for (int waiter = 0; waiter < length; waiter++) {
            waiters.add(adapter(registry().lock(name)));
        }
        return waiters;
    }

    @Override
    public OptionalInt queueLength(String name) throws Exception {
        return OptionalInt.of(Clients.children(client, BASE + "/" + name));
    }

    @Override
    public int nodesOf(String name) throws Exception {
        return Clients.nodes(client, BASE + "/" + name);
    }

    @Override
    public void close() {
        registries.forEach(ZooKeeperLockRegistry::close);
        client.close();
    }

    private ZooKeeperLockRegistry registry() {
        ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                .client(client)
                .basePath(BASE)
                .handOff(handOff)
                .seatBudget(TEN_THOUSAND_SEATS)
                .build();
        registries.add(registry);
        return registry;
    }

    private LockAdapter adapter(ClusterLock lock) {
        return new LockAdapter() {

            @Override
            public Held acquire() throws ExecutionException, InterruptedException {
                return async ? lock.acquireAsync().get()::close : lock.acquire()::close;
            }

            @Override
            public Optional<Held> tryAcquire() throws InterruptedException {
                return lock.tryAcquire().map(handle -> handle::close);
            }
        };
    }
}
