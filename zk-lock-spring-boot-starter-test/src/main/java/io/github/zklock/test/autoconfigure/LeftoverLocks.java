package io.github.zklock.test.autoconfigure;

/** The handling of locks that a test method acquired and that are still held after it. */
public enum LeftoverLocks {
    /** The locks are released by force, and the test fails with their names. */
    FAIL,
    /** The locks are released by force. */
    TAKE_AWAY,
    /** The locks stay held, also in later test methods of the same context. */
    KEEP
}
