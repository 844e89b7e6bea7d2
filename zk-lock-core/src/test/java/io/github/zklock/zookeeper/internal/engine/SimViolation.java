package io.github.zklock.zookeeper.internal.engine;

import org.jspecify.annotations.Nullable;

/** A check that did not hold. */
record SimViolation(
        String check, String what, long at, @Nullable Throwable cause) {

    @Override
    public String toString() {
        return check + " at " + at / 1_000_000 + " ms: " + what;
    }
}
