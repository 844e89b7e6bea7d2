package io.github.zklock.test.autoconfigure;

/** What becomes of locks that a test method acquired and that are still held after it. */
public enum LeftoverLocks {
    /** They are taken from their holders, and the test fails with their names. */
    FAIL,
    /** They are taken from their holders. */
    TAKE_AWAY,
    /** They stay: a later test method of the same context finds them held. */
    KEEP
}
