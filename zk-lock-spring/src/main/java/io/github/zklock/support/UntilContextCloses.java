package io.github.zklock.support;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle that ends only when its application context closes. If a context is only stopped or paused, it may be
 * started again, and what has ended could not start again.
 *
 * <p>The context itself is asked whether it closes, because a listener of its {@code ContextClosedEvent} may run on
 * another thread after the beans are destroyed.
 */
public abstract class UntilContextCloses implements SmartLifecycle {

    private final ConfigurableApplicationContext context;
    private volatile boolean running;
    private volatile boolean ended;

    protected UntilContextCloses(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Runs while the context closes. */
    protected abstract void end();

    @Override
    public void start() {
        running = true;
    }

    @Override
    public final void stop() {
        running = false;
        if (context.isClosed()) {
            ended = true;
            end();
        }
    }

    /**
     * Returns true also for a stopped context that closes: the container calls {@link #stop()} only on a running bean.
     */
    @Override
    public final boolean isRunning() {
        return running || (context.isClosed() && !ended);
    }

    @Override
    public final boolean isPauseable() {
        return false;
    }
}
