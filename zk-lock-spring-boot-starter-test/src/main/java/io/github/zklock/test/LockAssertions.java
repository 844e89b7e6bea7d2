package io.github.zklock.test;

import io.github.zklock.Handle;
import io.github.zklock.LockRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on locks, for a static import beside AssertJ's assertions.
 *
 * <pre>{@code
 * assertThat(handle).isHeld().isNewerThan(earlier);
 * assertThat(registry).holds("/order-stats").hasWaiting("/order-stats", 2);
 * }</pre>
 */
public final class LockAssertions {

    private LockAssertions() {}

    /** Returns assertions on the lock of a handle. */
    public static LockHandleAssert assertThat(@Nullable Handle actual) {
        return new LockHandleAssert(actual);
    }

    /** Returns assertions on the locks that a registry holds and awaits. */
    public static LockRegistryAssert assertThat(@Nullable LockRegistry actual) {
        return new LockRegistryAssert(actual);
    }
}
