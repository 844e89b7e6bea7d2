package io.github.zklock.observation;

import io.github.zklock.LockHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one call of a method with {@link io.github.zklock.annotation.DistributedLock}, for the interceptor
 * alone. Of each call either {@link #refused} is called, or {@link #acquired} and then {@link #ended}. No method throws.
 */
public interface CallObservation {

    /** Observes nothing. */
    CallObservation NOTHING = new CallObservation() {};

    /** The lock was not acquired, and the method does not run. */
    default void refused(Throwable reason) {}

    /** The lock was acquired; the method runs next. */
    default void acquired(LockHandle handle) {}

    /** The method and the transaction that kept its lock, if one did, have ended: the lock is released. */
    default void ended(@Nullable Throwable failure) {}

    /** Makes the hold the current observation of this thread until the result is closed. */
    default Scope open() {
        return () -> {};
    }

    /** The entries that the subscriber context of the method's own subscriptions gets. */
    default Map<Object, Object> carried() {
        return Map.of();
    }

    /** To be closed on the thread that opened it. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
