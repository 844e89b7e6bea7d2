package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.LockMode;
import java.util.function.Supplier;

/**
 * The lock that one annotation declares.
 *
 * @param registryName empty for the default registry
 */
record LockSpec(
        NameTemplate name,
        LockMode mode,
        int permits,
        String registryName,
        Supplier<LockRegistry> registry) {

    ClusterLock lock(LockName evaluated) {
        return switch (mode) {
            case EXCLUSIVE -> registry.get().lock(evaluated.value());
            case READ -> registry.get().readWriteLock(evaluated.value()).readLock();
            case WRITE -> registry.get().readWriteLock(evaluated.value()).writeLock();
        };
    }

    LockRequest.Acquirable acquirable(LockName evaluated) {
        return permits > 1
                ? LockRequest.Acquirable.of(registry.get().semaphore(evaluated.value(), permits))
                : LockRequest.Acquirable.of(lock(evaluated));
    }
}
