package io.github.zklock.faults.client;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** A lock of Spring Integration's registry. It cannot be asked whether it is held, so its user assumes that it is. */
record SpringIntegrationLock(Lock obtained) implements PeerLock {

    @Override
    public void lock() {
        obtained.lock();
    }

    @Override
    public boolean tryLock(Duration maxWait) throws InterruptedException {
        return obtained.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void unlock() {
        obtained.unlock();
    }

    @Override
    public boolean isHeld() {
        return true;
    }

    @Override
    public String node() {
        try {
            Field mutex = obtained.getClass().getDeclaredField("mutex");
            mutex.setAccessible(true);
            return CuratorLock.nodeOf((InterProcessMutex) mutex.get(obtained));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot find the mutex in " + obtained, e);
        }
    }
}
