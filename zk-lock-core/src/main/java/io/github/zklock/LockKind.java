package io.github.zklock;

/** What a seat in a lock's queue asks for. */
public enum LockKind {
    /** Alone. Also what Curator's {@code InterProcessMutex} asks for. */
    EXCLUSIVE,
    /** Together with other readers: Curator's read lock. */
    READ,
    /** Alone among readers and writers: Curator's write lock. */
    WRITE
}
