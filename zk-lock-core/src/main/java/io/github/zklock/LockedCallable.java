package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** Work to be done under a lock. */
@FunctionalInterface
public interface LockedCallable<T extends @Nullable Object, E extends Throwable> {

    /**
     * Does the work.
     *
     * @param handle proof that the lock is held, with the fencing token to pass on to what it guards; it is closed
     *     by the caller of this method
     */
    T call(LockHandle handle) throws E;
}
