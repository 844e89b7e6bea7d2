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
    public Claim exclusive(String name) {
        return claim(mutex(name));
    }

    @Override
    public Claim reading(String name) {
        return claim(new InterProcessReadWriteLock(client, BASE + name).readLock());
    }

    @Override
    public Claim writing(String name) {
        return claim(new InterProcessReadWriteLock(client, BASE + name).writeLock());
    }

    @Override
    public Claim permit(String name, int of) {
        InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(client, BASE + name, of);
        return new Claim() {

            @Override
            public Held take() throws Exception {
                return semaphore.acquire()::close;
            }

            @Override
            public Optional<Held> tryTake() throws Exception {
                Lease lease = semaphore.acquire(0, TimeUnit.MILLISECONDS);
                return Optional.ofNullable(lease).map(taken -> taken::close);
            }
        };
    }

    @Override
    public Claim all(List<String> names) {
        return claim(new InterProcessMultiLock(names.stream()
                .map(this::mutex)
                .map(InterProcessLock.class::cast)
                .toList()));
    }

    @Override
    public List<Claim> line(String name, int length) {
        List<Claim> line = new ArrayList<>();
        for (int waiter = 0; waiter < length; waiter++) {
            line.add(exclusive(name));
        }
        return line;
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

    private static Claim claim(InterProcessLock lock) {
        return new Claim() {

            @Override
            public Held take() throws Exception {
                lock.acquire();
                return lock::release;
            }

            @Override
            public Optional<Held> tryTake() throws Exception {
                return lock.acquire(0, TimeUnit.MILLISECONDS) ? Optional.of(lock::release) : Optional.empty();
            }
        };
    }
}
