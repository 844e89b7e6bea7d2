package io.github.zklock;

/**
 * What a registry does about deadlocks, and about orders of nested locks that can end in a deadlock.
 *
 * <p>In a <em>deadlock</em>, requests wait for each other, because each of them waits for a lock that the next one holds.
 * The requests may belong to several processes. A thread that has waited for two seconds, with open scopes of other locks,
 * is published in ZooKeeper with the locks that it holds. Its process then checks each second, and after a while every two
 * seconds, whether it is part of a deadlock. A deadlock is usually found six to eight seconds after its last request began.
 * Other requests cost nothing.
 *
 * <p>An order <em>contradicts</em> an earlier one of the same process if a thread that holds {@code /a} requests {@code
 * /b}, and a thread that held {@code /b} has requested {@code /a}. The registry observes requests that wait, and the locks
 * whose scopes are open on the requesting thread. Locks that differ only in segments with a digit, as {@code /orders/17} and
 * {@code /orders/42}, count as one lock beside others.
 *
 * <p>Not guaranteed: that each deadlock is found, or that one is found before it happens. The registry sees threads that
 * wait, not futures, and the locks whose scopes are open on them, see {@link LockContext}. It sees only processes of this
 * library that use the same base path. A handle that another thread may close at any time, although a scope of it is open on
 * a waiting thread, can look like a deadlock.
 */
public enum DeadlockReaction {
    /** Nothing: requests are not checked. */
    IGNORE,
    /**
     * Each process of a deadlock logs it once as a warning and reports {@link LockEvent.Deadlocked}. Each contradictory
     * order is logged once as a warning, with both stacks. The requests continue.
     */
    WARN,
    /**
     * Of a deadlock, the request that began last is rejected with {@link LockDeadlockException}, in addition to {@link
     * #WARN}. This ends the deadlock, perhaps before the other processes have found it. A request in a contradictory order
     * is rejected with {@link LockOrderException} before it begins.
     */
    FAIL
}
