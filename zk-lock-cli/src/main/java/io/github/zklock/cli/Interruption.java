package io.github.zklock.cli;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens when this process receives a signal to end: the present action runs, and the JVM ends only after {@link #close}, so
 * that the lock is released after the work has ended, and not before.
 */
final class Interruption implements AutoCloseable {

    /** The time for the release of a lock and the end of the client. */
    private static final Duration FOR_RELEASE = Duration.ofSeconds(60);

    private final Thread hook = new Thread(this::signalled, "zk-lock-interruption");
    private final Duration longest;
    private volatile Runnable action;
    private final CountDownLatch signal = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private Interruption(Runnable action, Duration longest) {
        this.action = action;
        this.longest = longest;
    }

    /** @param grace the time that the action may take, before the lock is released */
    static Interruption with(Runnable action, Duration grace) {
        Interruption interruption = new Interruption(action, grace.plus(FOR_RELEASE));
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Replaces the action. Runs it if the signal has come before; it must be repeatable. */
    void onSignal(Runnable next) {
        action = next;
        if (signal.getCount() == 0) {
            next.run();
        }
    }

    /** Returns whether the signal came within this time. */
    boolean await(Duration time) throws InterruptedException {
        return signal.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void signalled() {
        signal.countDown();
        action.run();
        try {
            if (!closed.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("zk-lock: not ended within " + Words.of(longest));
            }
        } catch (InterruptedException noTimeLeft) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException theHookRuns) {
            // it ends now
        }
    }
}
