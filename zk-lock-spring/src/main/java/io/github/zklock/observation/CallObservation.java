package io.github.zklock.observation;

import io.github.zklock.Handle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one call of a method with {@link io.github.zklock.annotation.DistributedLock}. Only the
 * interceptor uses it. For each call, it calls either {@link #refused}, or {@link #acquired} and then {@link #ended}.
 * No method throws.
 */
public interface CallObservation {

    /** Observes nothing. */
    CallObservation NOTHING = new CallObservation() {};

    /** The lock was not acquired, and the method does not run. */
    default void refused(Throwable reason) {}

    /** The lock is acquired, and the method runs next. */
    default void acquired(Handle handle) {}

    /** The method has ended, and so has the transaction that kept its lock, if any. The lock is released. */
    default void ended(@Nullable Throwable failure) {}

    /** Makes the hold the current observation of this thread, until the returned scope is closed. */
    default Scope open() {
        return () -> {};
    }

    /** Returns the entries to add to the context of the subscriptions that the method makes. */
    default Map<Object, Object> carried() {
        return Map.of();
    }

    /** A scope of an observation. To be closed on the thread that opened it. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
