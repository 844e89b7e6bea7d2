package io.github.zklock.benchmarks.contender;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's locks within one process: the cost of waiting threads in any case. */
final class JdkLocks implements Contender {

    private final boolean fair;
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** @param fair whether waiters are served in the order of their calls, as in all queues of ZooKeeper */
    JdkLocks(boolean fair) {
        this.fair = fair;
    }

    @Override
    public LockAdapter exclusive(String name) {
        return LockAdapter.of(locks.computeIfAbsent(name, absent -> new ReentrantLock(fair)));
    }

    @Override
    public void close() {
        locks.clear();
    }
}
