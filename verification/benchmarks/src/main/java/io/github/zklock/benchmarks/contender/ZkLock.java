package io.github.zklock.benchmarks.contender;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.Leadership;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;

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
        return semaphore::acquire;
    }

    @Override
    public LockAdapter all(List<String> names) {
        return adapter(locks.allOf(names.toArray(String[]::new)));
    }

    @Override
    public Callable<Boolean> attempt(String name) {
        ClusterLock lock = locks.lock(name);
        return () -> lock.tryAcquire().isPresent();
    }

    /**
     * Each waiter has a registry of its own, like a process: waiters of one registry would not ask the servers for
     * their turn.
     */
    @Override
    public List<LockAdapter> waiters(String name, int length) {
        return Stream.generate(() -> adapter(registry().lock(name)))
                .limit(length)
                .toList();
    }

    @Override
    public OptionalInt queueLength(String name) throws Exception {
        Stat folder = client.checkExists().forPath(BASE + "/" + name);
        return OptionalInt.of(folder == null ? 0 : folder.getNumChildren());
    }

    @Override
    public int nodesOf(String name) throws Exception {
        return Clients.nodes(client, BASE + "/" + name);
    }

    @Override
    public BooleanSupplier candidate(String name) {
        Leadership leadership = locks.leadership(name);
        leadership.start();
        return leadership::isLeader;
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

    private LockAdapter adapter(Acquirable<?> lock) {
        return async ? () -> lock.acquireAsync().get() : lock::acquire;
    }
}
