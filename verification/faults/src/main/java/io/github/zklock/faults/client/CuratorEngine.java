package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.LockSpec;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/** Curator's mutex and read/write lock, one of each per path. */
final class CuratorEngine extends PeerEngine {

    private final CuratorFramework curator;
    private final String basePath;
    private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, InterProcessReadWriteLock> readWriteLocks = new ConcurrentHashMap<>();

    CuratorEngine(ClientConfig config) {
        this(new PeerClient(config.connectString(), config.sessionTimeout()), config.basePath());
    }

    private CuratorEngine(PeerClient client, String basePath) {
        super(client);
        this.curator = client.curator();
        this.basePath = basePath;
    }

    @Override
    PeerLock lock(LockSpec spec) {
        return new CuratorLock(mutex(spec));
    }

    private InterProcessMutex mutex(LockSpec spec) {
        String path = basePath + "/" + spec.lock();
        return switch (spec.kind()) {
            case EXCLUSIVE -> mutexes.computeIfAbsent(path, it -> new InterProcessMutex(curator, it));
            case READ -> readWriteLock(path).readLock();
            case WRITE -> readWriteLock(path).writeLock();
            case PERMITS ->
                throw new IllegalArgumentException(
                        "Curator's semaphore has no permits on the paths of these locks: " + spec);
        };
    }

    private InterProcessReadWriteLock readWriteLock(String path) {
        return readWriteLocks.computeIfAbsent(path, it -> new InterProcessReadWriteLock(curator, it));
    }
}
