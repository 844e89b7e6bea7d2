package io.github.zklock.faults.client;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** One mutex of Curator's. */
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

    // the way to it is for subclasses alone, and the halves of a read/write lock cannot be given one
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
