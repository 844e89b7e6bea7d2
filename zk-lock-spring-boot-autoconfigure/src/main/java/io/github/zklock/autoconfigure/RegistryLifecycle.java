package io.github.zklock.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.support.UntilContextCloses;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Closes the registry while its application context closes: after the web server and the executors, whose work may hold
 * locks, and before the client. The client closes when the beans are destroyed and no lock is held. If the context is
 * only stopped, it keeps its registry, its session and its locks.
 */
final class RegistryLifecycle extends UntilContextCloses {

    /** Stops after executors and schedulers, whose phase is {@code Integer.MAX_VALUE / 2}. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private final LockRegistry registry;
    private final Duration shutdownTimeout;

    RegistryLifecycle(LockRegistry registry, Duration shutdownTimeout, ConfigurableApplicationContext context) {
        super(context);
        this.registry = registry;
        this.shutdownTimeout = shutdownTimeout;
    }

    @Override
    protected void end() {
        // a test may replace the registry, for example by a mock
        if (registry instanceof ZooKeeperLockRegistry own) {
            own.close(shutdownTimeout);
        }
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
