package io.github.zklock.autoconfigure.startup;

import io.github.zklock.autoconfigure.ZkLockStartupException;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Waits for the servers before other components of the application start, up to {@code zk.lock.startup-timeout}. If that
 * is not set, checks the servers in the background.
 */
final class StartupCheck implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(StartupCheck.class);

    private final AccessCheck access;
    private final ConnectionReport report;
    private final @Nullable Duration limit;
    private volatile @Nullable FutureTask<@Nullable Void> asking;
    private volatile boolean running;

    /** @param limit null not to wait for the servers */
    StartupCheck(AccessCheck access, ConnectionReport report, @Nullable Duration limit) {
        this.access = access;
        this.report = report;
        this.limit = limit;
    }

    @Override
    public void start() {
        running = true;
        report.begin(limit == null);
        FutureTask<@Nullable Void> answer = new FutureTask<>(limit == null ? this::askAndWarn : this::ask);
        asking = answer;
        Thread thread = new Thread(answer, "zk-lock-startup");
        thread.setDaemon(true);
        thread.start();
        if (limit != null) {
            LOG.info("Waiting up to {} for the ZooKeeper servers {}", Words.of(limit), report.servers());
            await(answer, limit);
        }
    }

    @Override
    public void stop() {
        running = false;
        report.end();
        FutureTask<@Nullable Void> unanswered = asking;
        if (unanswered != null) {
            unanswered.cancel(true);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A pause keeps the session. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    /** Starts before web servers, listeners and schedulers. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    private @Nullable Void ask() throws InterruptedException {
        access.await();
        return null;
    }

    private @Nullable Void askAndWarn() throws InterruptedException {
        try {
            access.await();
        } catch (ZkLockStartupException refused) {
            LOG.warn("{}. Until that is changed no lock can be acquired. {}", refused.getMessage(), refused.remedy());
        }
        return null;
    }

    private void await(FutureTask<@Nullable Void> answer, Duration longest) {
        try {
            answer.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw unreachable(longest);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ZkLockStartupException refused) {
                throw refused;
            }
            throw new IllegalStateException("ZooKeeper cannot be checked at start-up", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for ZooKeeper at start-up", interrupted);
        } finally {
            answer.cancel(true);
        }
    }

    private ZkLockStartupException unreachable(Duration longest) {
        String trouble = access.trouble();
        return new ZkLockStartupException(
                "The ZooKeeper servers " + report.servers() + " could not be used within " + Words.of(longest)
                        + " (zk.lock.startup-timeout): "
                        + (trouble.isEmpty()
                                ? "no server has created a session"
                                : "the last attempt ended with " + trouble),
                ConnectionReport.REMEDY
                        + " To wait longer, raise zk.lock.startup-timeout; to start without servers and connect in the"
                        + " background, remove it.",
                null);
    }
}
