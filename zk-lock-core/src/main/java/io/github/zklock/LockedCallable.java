package io.github.zklock;

import org.jspecify.annotations.Nullable;

/**
 * An action that runs while its caller holds a lock.
 *
 * @param <T> the type of the result
 * @param <E> the type of the exceptions that the action throws
 */
@FunctionalInterface
public interface LockedCallable<T extends @Nullable Object, E extends Throwable> {

    /**
     * Runs the action.
     *
     * @param handle the handle of the held lock, with the fencing token for the guarded resource; the caller of this
     *     method closes it
     * @return the result of the action
     * @throws E if the action fails
     */
    T call(LockHandle handle) throws E;
}
