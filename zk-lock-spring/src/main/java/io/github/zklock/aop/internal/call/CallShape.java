package io.github.zklock.aop.internal.call;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the calls of a method under a lock. Each kind of return type has its own shape. */
interface CallShape {

    /**
     * Makes the call under its lock. If the lock is not acquired, the method does not run.
     *
     * @return the result of the method, or a result of the same type in its place
     */
    @Nullable Object invoke(LockedCall call) throws Throwable;

    /** Returns the value of the return type that means "skipped"; empty if the type has none. */
    Optional<Skipped> skipped();

    /** A value that means that the method did not run. */
    record Skipped(@Nullable Object value) {}
}
