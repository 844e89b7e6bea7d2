package io.github.zklock.test;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on locks, to be imported statically beside those of AssertJ.
 *
 * <pre>{@code
 * assertThat(handle).isHeld().isNewerThan(earlier);
 * assertThat(registry).holds("/order-stats").hasWaiting("/order-stats", 2);
 * }</pre>
 */
public final class LockAssertions {

    private LockAssertions() {}

    /** Assertions on what a handle stands for. */
    public static LockHandleAssert assertThat(@Nullable LockHandle actual) {
        return new LockHandleAssert(actual);
    }

    /** Assertions on what a registry holds and awaits. */
    public static LockRegistryAssert assertThat(@Nullable LockRegistry actual) {
        return new LockRegistryAssert(actual);
    }
}
