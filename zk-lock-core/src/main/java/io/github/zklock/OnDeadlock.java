package io.github.zklock;

/**
 * What a registry does if requests wait for each other in a circle: each of them waits for a lock that the next one
 * holds. The requests may belong to several processes.
 *
 * <p>A request that has waited for two seconds, on a thread with open scopes of other locks, is published in ZooKeeper
 * with the locks that it holds. Its process then checks each second whether it is part of a circle. A deadlock is found
 * about five seconds after its last request began. Other requests cost nothing.
 *
 * <p>Not guaranteed: that each deadlock is found. The registry sees the locks whose scopes are open on the requesting
 * thread, see {@link LockContext}, and only processes of this library that use the same base path.
 */
public enum OnDeadlock {
    /** Deadlocks are not searched. */
    IGNORE,
    /** Each process of the circle logs it once as a warning and reports {@link LockEvent.Deadlocked}. */
    WARN,
    /** As {@link #WARN}. In addition, the request that began last is rejected with {@link LockDeadlockException}. */
    FAIL
}
