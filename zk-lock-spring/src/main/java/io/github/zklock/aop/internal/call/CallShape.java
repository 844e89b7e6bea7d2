package io.github.zklock.aop.internal.call;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the call of a method and what it returns are put under a lock; one for each kind of result. */
interface CallShape {

    /**
     * Makes the call under its lock, or does not make it.
     *
     * @return the method's result, or one of the same type that stands for it
     */
    @Nullable Object invoke(LockedCall call) throws Throwable;

    /** What stands for "did not run" in the result's type; empty if nothing does. */
    Optional<Skipped> skipped();

    /** A value that says that the method did not run. */
    record Skipped(@Nullable Object value) {}
}
