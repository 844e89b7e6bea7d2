package io.github.zklock.benchmarks.contender;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;

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
        return semaphore::acquire;
    }

    @Override
    public LockAdapter all(List<String> names) {
        return adapter(new InterProcessMultiLock(
                names.stream().<InterProcessLock>map(this::mutex).toList()));
    }

    @Override
    public Callable<Boolean> attempt(String name) {
        InterProcessLock lock = mutex(name);
        return () -> lock.acquire(0, TimeUnit.MILLISECONDS);
    }

    @Override
    public List<LockAdapter> waiters(String name, int length) {
        return Stream.generate(() -> exclusive(name)).limit(length).toList();
    }

    @Override
    public int nodesOf(String name) throws Exception {
        return Clients.nodes(client, BASE + name);
    }

    @Override
    public BooleanSupplier candidate(String name) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, BASE + name);
        latch.start();
        return latch::hasLeadership;
    }

    @Override
    public void close() {
        client.close();
    }

    private InterProcessMutex mutex(String name) {
        return new InterProcessMutex(client, BASE + name);
    }

    private static LockAdapter adapter(InterProcessLock lock) {
        return () -> {
            lock.acquire();
            return lock::release;
        };
    }
}
