package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Ends the registry while its application context closes: after the web server and the executors, whose work may hold
 * locks, and before the client, which closes when beans are destroyed
 * and no lock is held any more.
 *
 * <p>A closed registry cannot be opened again. So a context that is only stopped or paused, and may be started again, keeps
 * its registry, its session and its locks.
 */
final class RegistryLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

    /** Below executors and schedulers, which stop in {@code Integer.MAX_VALUE / 2}. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private final ZooKeeperLockRegistry registry;
    private final Duration drain;
    private final ApplicationContext context;

    private volatile boolean running;
    private volatile boolean closing;

    RegistryLifecycle(ZooKeeperLockRegistry registry, Duration drain, ApplicationContext context) {
        this.registry = registry;
        this.drain = drain;
        this.context = context;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // those of child contexts come here, too
        if (event.getApplicationContext() == context) {
            closing = true;
            // a context that was stopped before stops nothing when it closes
            running = true;
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (closing) {
            registry.close(drain);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
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
