package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the registry while its application context closes: after the web server and the executors, whose work may hold
 * locks, and before the client. The client closes when the beans are destroyed and no lock is held.
 *
 * <p>A closed registry cannot be opened again. If a context is only stopped or paused, it may be started again, so it
 * keeps its registry, its session and its locks. The context itself is asked whether it closes, because a listener of
 * its {@code ContextClosedEvent} may run on another thread after the beans are destroyed.
 */
final class RegistryLifecycle implements SmartLifecycle {

    /** Stops after executors and schedulers, whose phase is {@code Integer.MAX_VALUE / 2}. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private final ZooKeeperLockRegistry registry;
    private final Duration shutdownTimeout;
    private final ConfigurableApplicationContext context;

    private volatile boolean running;
    private volatile boolean ended;

    RegistryLifecycle(
            ZooKeeperLockRegistry registry, Duration shutdownTimeout, ConfigurableApplicationContext context) {
        this.registry = registry;
        this.shutdownTimeout = shutdownTimeout;
        this.context = context;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context.isClosed()) {
            ended = true;
            registry.close(shutdownTimeout);
        }
    }

    /**
     * Returns true also for a stopped context that closes: the container calls {@link #stop()} only on a running bean.
     */
    @Override
    public boolean isRunning() {
        return running || (context.isClosed() && !ended);
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
