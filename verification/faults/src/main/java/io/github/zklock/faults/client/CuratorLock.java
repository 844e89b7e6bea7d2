package io.github.zklock.faults.client;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** A mutex of Curator. */
record CuratorLock(InterProcessMutex mutex) implements PeerLock {

    @Override
    public void lock() throws Exception {
        mutex.acquire();
    }

    @Override
    public boolean tryLock(Duration maxWait) throws Exception {
        return mutex.acquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void unlock() throws Exception {
        mutex.release();
    }

    @Override
    public boolean isHeld() {
        return mutex.isOwnedByCurrentThread();
    }

    @Override
    public String node() {
        return nodeOf(mutex);
    }

    // the method is protected, and the mutexes of a read/write lock cannot be subclassed
    static String nodeOf(InterProcessMutex mutex) {
        try {
            Method path = InterProcessMutex.class.getDeclaredMethod("getLockPath");
            path.setAccessible(true);
            return String.valueOf(path.invoke(mutex));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot ask Curator's mutex for its node", e);
        }
    }
}
