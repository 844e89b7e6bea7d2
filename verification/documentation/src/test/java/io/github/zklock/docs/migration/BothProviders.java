package io.github.zklock.docs.migration;

import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** The release between: a task runs under the lock of the old provider and under that of the new one. */
// snippet:provider
record BothProviders(LockProvider old, LockProvider fresh) implements LockProvider {

    @Override
    public Optional<SimpleLock> lock(LockConfiguration task) {
        Optional<SimpleLock> first = old.lock(task);
        if (first.isEmpty()) {
            return first;
        }
        try {
            Optional<SimpleLock> second = fresh.lock(task);
            if (second.isPresent()) {
                return Optional.of(() -> unlock(second.get(), first.get()));
            }
        } catch (RuntimeException outage) {
            first.get().unlock();
            throw outage;
        }
        first.get().unlock();
        return Optional.empty();
    }

    private static void unlock(SimpleLock second, SimpleLock first) {
        try {
            second.unlock();
        } finally {
            first.unlock();
        }
    }
}
// end:provider
