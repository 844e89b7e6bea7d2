package io.github.zklock;

/**
 * What a registry does if a thread requests nested locks in another order than before. Such orders can end in a deadlock:
 * a thread that holds {@code /a} and requests {@code /b} waits for a thread that holds {@code /b} and requests {@code
 * /a}.
 *
 * <p>The registry observes requests that wait, and the locks whose scopes are open on the requesting thread. Locks that
 * differ only in segments with a digit, as {@code /orders/17} and {@code /orders/42}, count as one lock beside others.
 *
 * <p>Not guaranteed: that a deadlock is found before it happens. Each order must have been seen once in this process.
 */
public enum LockOrder {
    /** Orders are not observed. */
    OFF,
    /** Each contradiction is logged once as a warning, with both stacks. The lock is requested nevertheless. */
    WARN,
    /** The lock is not requested, and the caller gets a {@link LockOrderException}. */
    FAIL
}
