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

    /** Bytes for what is held by one process at most; a server with its defaults reads twice a million. */
    private static final long TEN_THOUSAND_SEATS = 1_500_000;

    private final CuratorFramework client;
    private final HandOff handOff;
    private final boolean async;
    private final List<ZooKeeperLockRegistry> registries = new ArrayList<>();
    private final ZooKeeperLockRegistry locks;

    /** @param async whether locks are asked for by futures, for which whoever measures waits */
    ZkLock(String servers, HandOff handOff, boolean async) {
        this.async = async;
        this.client = Clients.connect(ZooKeeperLockRegistry.clientBuilder(), servers);
        this.handOff = handOff;
        this.locks = registry();
    }

    @Override
    public Claim exclusive(String name) {
        return claim(locks.lock(name));
    }

    @Override
    public Claim reading(String name) {
        return claim(locks.readWriteLock(name).readLock());
    }

    @Override
    public Claim writing(String name) {
        return claim(locks.readWriteLock(name).writeLock());
    }

    @Override
    public Claim permit(String name, int of) {
        ClusterSemaphore semaphore = locks.semaphore(name, of);
        return new Claim() {

            @Override
            public Held take() throws InterruptedException {
                return semaphore.acquire()::close;
            }

            @Override
            public Optional<Held> tryTake() throws InterruptedException {
                return semaphore.tryAcquire().map(handle -> handle::close);
            }
        };
    }

    @Override
    public Claim all(List<String> names) {
        return claim(locks.allOf(names.toArray(String[]::new)));
    }

    /** Each waiter is a registry of its own, as if it were another process: those of one process ask no server who is next. */
    @Override
    public List<Claim> line(String name, int length) {
        List<Claim> line = new ArrayList<>();
        for (int waiter = 0; waiter < length; waiter++) {
            line.add(claim(registry().lock(name)));
        }
        return line;
    }

    @Override
    public OptionalInt queue(String name) throws Exception {
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

    private Claim claim(ClusterLock lock) {
        return new Claim() {

            @Override
            public Held take() throws ExecutionException, InterruptedException {
                return async ? lock.acquireAsync().get()::close : lock.acquire()::close;
            }

            @Override
            public Optional<Held> tryTake() throws InterruptedException {
                return lock.tryAcquire().map(handle -> handle::close);
            }
        };
    }
}
