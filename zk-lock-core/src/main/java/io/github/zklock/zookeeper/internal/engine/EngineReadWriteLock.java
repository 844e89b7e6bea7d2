package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.Demand;

/** The pair of a read lock and a write lock. */
record EngineReadWriteLock(LockName name, EngineAccess engine) implements ClusterReadWriteLock {

    @Override
    public ClusterLock readLock() {
        return new EngineLock(name, Demand.READ, engine);
    }

    @Override
    public ClusterLock writeLock() {
        return new EngineLock(name, Demand.WRITE, engine);
    }

    @Override
    public String toString() {
        return "ClusterReadWriteLock[" + name + "]";
    }
}
