package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the registry while its application context closes: after the web server and the executors, whose work may hold
 * locks, and before the client, which closes when beans are destroyed and no lock is held any more.
 *
 * <p>A closed registry cannot be opened again. So a context that is only stopped or paused, and may be started again, keeps
 * its registry, its session and its locks. The context itself answers whether it closes: a listener of its
 * {@code ContextClosedEvent} may run on another thread, after the beans are destroyed.
 */
final class RegistryLifecycle implements SmartLifecycle {

    /** Below executors and schedulers, which stop in {@code Integer.MAX_VALUE / 2}. */
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

    /** A context that was stopped before it closes stops nothing that is not running. */
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
