package io.github.zklock;

/**
 * What a registry does in case of a deadlock: requests wait for each other, because each of them waits for a lock that
 * the next one holds. The requests may belong to several processes.
 *
 * <p>A thread that has waited for two seconds, with open scopes of other locks, is published in ZooKeeper with the locks
 * that it holds. Its process then checks each second, and after a while every two seconds, whether it is part of a
 * deadlock. A deadlock is usually found six to eight seconds after its last request began. Other requests cost nothing.
 *
 * <p>Not guaranteed: that each deadlock is found. The registry sees threads that wait, not futures, and the locks whose
 * scopes are open on them, see {@link LockContext}. It sees only processes of this library that use the same base path.
 * A handle that another thread may close at any time, although a scope of it is open on a waiting thread, can look like
 * a deadlock.
 */
public enum OnDeadlock {
    /** Requests are not checked for deadlocks. */
    IGNORE,
    /** Each process of the deadlock logs it once as a warning and reports {@link LockEvent.Deadlocked}. */
    WARN,
    /**
     * As {@link #WARN}. In addition, the request that began last is rejected with {@link LockDeadlockException}. This ends
     * the deadlock, perhaps before the other processes have found it.
     */
    FAIL
}
