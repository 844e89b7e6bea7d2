package io.github.zklock.autoconfigure.startup;

import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.ZkLockProperties.Startup;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Applies {@code zk.lock.startup} before other components of the application start: waits for the servers, or only
 * watches the connection. It takes at most the configured time.
 */
final class StartupCheck implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(StartupCheck.class);

    private final AccessCheck access;
    private final ConnectionReport report;
    private final ZkLockProperties properties;
    private volatile @Nullable FutureTask<@Nullable Void> asking;
    private volatile boolean running;

    StartupCheck(AccessCheck access, ConnectionReport report, ZkLockProperties properties) {
        this.access = access;
        this.report = report;
        this.properties = properties;
    }

    @Override
    public void start() {
        running = true;
        report.begin(properties.getStartup() == Startup.LAZY);
        switch (properties.getStartup()) {
            case LAZY -> asking = ask(this::askAndWarn);
            case WAIT -> askWithin(properties.getStartupTimeout(), "zk.lock.startup-timeout");
            case FAIL_FAST -> askWithin(properties.getConnectionTimeout(), "zk.lock.connection-timeout");
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

    private void askAndWarn() throws InterruptedException {
        try {
            access.await();
        } catch (ZkLockStartupException refused) {
            LOG.warn("{}. Until that is changed no lock can be acquired. {}", refused.getMessage(), refused.remedy());
        }
    }

    private void askWithin(Duration limit, String property) {
        FutureTask<@Nullable Void> answer = ask(access::await);
        asking = answer;
        long half = limit.toNanos() / 2;
        try {
            if (!isAnswered(answer, half)) {
                LOG.info("The ZooKeeper servers {} do not answer yet; waiting up to {}", report.servers(), limit);
                // not earlier: servers log connections that send no request
                ServerDiagnosis diagnosis = report.diagnose(limit.dividedBy(2));
                if (!isAnswered(answer, limit.toNanos() - half)) {
                    throw unreachable(limit, property, diagnosis);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for ZooKeeper at start-up", interrupted);
        } finally {
            answer.cancel(true);
        }
    }

    private static FutureTask<@Nullable Void> ask(Question question) {
        FutureTask<@Nullable Void> answer = new FutureTask<>(() -> {
            question.ask();
            return null;
        });
        Thread thread = new Thread(answer, "zk-lock-startup");
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    private static boolean isAnswered(FutureTask<@Nullable Void> answer, long nanos) throws InterruptedException {
        try {
            answer.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ZkLockStartupException refused) {
                throw refused;
            }
            throw new IllegalStateException("ZooKeeper cannot be checked at start-up", failed.getCause());
        }
    }

    private ZkLockStartupException unreachable(Duration limit, String property, ServerDiagnosis diagnosis) {
        String trouble = access.trouble();
        String policy = properties.getStartup().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new ZkLockStartupException(
                "The ZooKeeper servers " + report.servers() + " could not be used within " + Words.of(limit) + " ("
                        + property
                        + "), as zk.lock.startup=" + policy + " requires: "
                        + (trouble.isEmpty() ? diagnosis.text() : "the last attempt ended with " + trouble),
                diagnosis.remedy().orElse("Start the servers, or correct zk.lock.connect-string.")
                        + " To wait longer, set zk.lock.startup=wait and"
                        + " zk.lock.startup-timeout; to start without servers and connect in the background, set"
                        + " zk.lock.startup=lazy.",
                null);
    }

    /** A check that runs on a thread of its own. */
    @FunctionalInterface
    private interface Question {
        void ask() throws InterruptedException;
    }
}
