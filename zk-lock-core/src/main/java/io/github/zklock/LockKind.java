package io.github.zklock;

/** The kind of access to a lock that is requested. */
public enum LockKind {
    /** Exclusive access. Curator's {@code InterProcessMutex} requests the same. */
    EXCLUSIVE,
    /** Access together with other readers. Curator's read lock requests the same. */
    READ,
    /** Exclusive access among readers and writers. Curator's write lock requests the same. */
    WRITE,
    /** One or several of a semaphore's permits. */
    PERMITS
}
