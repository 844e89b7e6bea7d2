package io.github.zklock.test;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import org.jspecify.annotations.Nullable;

/** The pair of a read and a write lock. */
final class MemoryReadWriteLock implements ClusterReadWriteLock {

    private final LockName name;
    private final ClusterLock readLock;
    private final ClusterLock writeLock;

    MemoryReadWriteLock(LockName name, Acquirer acquirer) {
        this.name = name;
        this.readLock = new MemoryLock(name, LockKind.READ, acquirer);
        this.writeLock = new MemoryLock(name, LockKind.WRITE, acquirer);
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public ClusterLock readLock() {
        return readLock;
    }

    @Override
    public ClusterLock writeLock() {
        return writeLock;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryReadWriteLock pair && pair.writeLock.equals(writeLock);
    }

    @Override
    public int hashCode() {
        return writeLock.hashCode();
    }

    @Override
    public String toString() {
        return "ClusterReadWriteLock[" + name + "]";
    }
}
