package io.github.zklock.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;

/** Curator's recipes. */
final class Curator implements Contender {

    private static final String BASE = "/curator/";

    private final CuratorFramework client;

    Curator(String servers) {
        client = Clients.connect(servers);
    }

    @Override
    public LockAdapter exclusive(String name) {
        return adapter(mutex(name));
    }

    @Override
    public LockAdapter reading(String name) {
        return adapter(new InterProcessReadWriteLock(client, BASE + name).readLock());
    }

    @Override
    public LockAdapter writing(String name) {
        return adapter(new InterProcessReadWriteLock(client, BASE + name).writeLock());
    }

    @Override
    public LockAdapter permit(String name, int of) {
        InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(client, BASE + name, of);
        return new LockAdapter() {

            @Override
            public Held acquire() throws Exception {
                return semaphore.acquire()::close;
            }

            @Override
            public Optional<Held> tryAcquire() throws Exception {
                Lease lease = semaphore.acquire(0, TimeUnit.MILLISECONDS);
                return Optional.ofNullable(lease).map(taken -> taken::close);
            }
        };
    }

    @Override
    public LockAdapter all(List<String> names) {
        return adapter(new InterProcessMultiLock(names.stream()
                .map(this::mutex)
                .map(InterProcessLock.class::cast)
                .toList()));
    }

    @Override
    public List<LockAdapter> waiters(String name, int length) {
        List<LockAdapter> waiters = new ArrayList<>();
        for (int waiter = 0; waiter < length; waiter++) {
            waiters.add(exclusive(name));
        }
        return waiters;
    }

    @Override
    public int nodesOf(String name) throws Exception {
        return Clients.nodes(client, BASE + name);
    }

    @Override
    public void close() {
        client.close();
    }

    private InterProcessMutex mutex(String name) {
        return new InterProcessMutex(client, BASE + name);
    }

    private static LockAdapter adapter(InterProcessLock lock) {
        return new LockAdapter() {

            @Override
            public Held acquire() throws Exception {
                lock.acquire();
                return lock::release;
            }

            @Override
            public Optional<Held> tryAcquire() throws Exception {
                return lock.acquire(0, TimeUnit.MILLISECONDS) ? Optional.of(lock::release) : Optional.empty();
            }
        };
    }
}
