package io.github.zklock;

/** What somebody who queues for a lock asks for. */
public enum LockKind {
    /** Alone. Also what Curator's {@code InterProcessMutex} asks for. */
    EXCLUSIVE,
    /** Together with other readers: Curator's read lock. */
    READ,
    /** Alone among readers and writers: Curator's write lock. */
    WRITE,
    /** One or several of a semaphore's permits. */
    PERMITS
}
