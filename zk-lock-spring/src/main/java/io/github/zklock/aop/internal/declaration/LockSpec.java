package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import java.util.function.Supplier;

/**
 * The lock that one annotation declares.
 *
 * @param registryName empty for the default registry
 */
record LockSpec(NameTemplate name, LockKind kind, int permits, String registryName, Supplier<LockRegistry> registry) {

    ClusterLock lock(LockName evaluated) {
        return switch (kind) {
            case EXCLUSIVE -> registry.get().lock(evaluated.value());
            case READ -> registry.get().readWriteLock(evaluated.value()).readLock();
            case WRITE -> registry.get().readWriteLock(evaluated.value()).writeLock();
            case PERMITS -> throw new IllegalStateException("A semaphore is no lock");
        };
    }

    LockRequest.Source source(LockName evaluated) {
        return kind == LockKind.PERMITS
                ? LockRequest.Source.of(registry.get().semaphore(evaluated.value(), permits))
                : LockRequest.Source.of(lock(evaluated));
    }
}
