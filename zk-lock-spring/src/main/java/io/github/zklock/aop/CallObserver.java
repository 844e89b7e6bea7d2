package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.annotation.LockMode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Told of each call of an annotated method, on the thread that makes it. What it throws is logged and ignored. */
public interface CallObserver {

    /** Sees nothing. */
    CallObserver NONE = (call, carried) -> Observed.NOTHING;

    /**
     * A call is about to ask for its lock.
     *
     * @param carried what the subscriber's context holds under a key; null where the call is not reactive, or the
     *     context has no such key
     */
    Observed begin(Call call, Function<Object, @Nullable Object> carried);

    /**
     * A call of an annotated method.
     *
     * @param template the names before evaluation, comma-separated
     * @param names what they evaluated to
     */
    record Call(String template, List<LockName> names, LockMode mode, int permits, String registry) {}

    /** One call. Of each call either {@link #refused} is called, or {@link #acquired} and then {@link #ended}. */
    interface Observed {

        /** Nothing is to be seen of it. */
        Observed NOTHING = new Observed() {};

        /** The lock was not acquired, and the method does not run. */
        default void refused(Throwable reason) {}

        /** The lock was acquired; the method runs next. */
        default void acquired(LockHandle handle) {}

        /** The method has ended, and so has the transaction that kept its lock, if one did: the lock is given back. */
        default void ended(@Nullable Throwable failure) {}

        /** Makes the hold current on this thread, where the method runs on it, until the result is closed. */
        default Scope open() {
            return () -> {};
        }

        /** What the method's own subscriptions are to find in their context. */
        default Map<Object, Object> carried() {
            return Map.of();
        }
    }

    /** Closes on the thread that opened it. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
