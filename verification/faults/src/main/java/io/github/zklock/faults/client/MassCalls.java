package io.github.zklock.faults.client;

import io.github.zklock.faults.client.CallResult.Outcome;
import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of calls of one process at once. Only their numbers are reported, because reports of each call would be a
 * load of their own.
 */
final class MassCalls {

    /** The wait of a call that is repeated: longer than any queue here takes. */
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The engine drops answered requests when further ones come, and all of them once a second. */
    private static final long UNTIL_FORGOTTEN_MILLIS = 1_500;

    private static final Executor AFTER_REFUSAL =
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS, Runnable::run);

    private final ClientConfig config;
    private final Engine.Present engine;
    /** The threads of {@link #cancel} and {@link #attempt}, and their calls. */
    private final AtomicInteger storming = new AtomicInteger();

    private final AtomicLong storms = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final AtomicInteger others = new AtomicInteger();
    /** The largest delay of an answer behind the limit of its call. */
    private final AtomicLong late = new AtomicLong(Long.MIN_VALUE);

    private volatile long lastGrantAt;
    private volatile String other = "";
    private volatile boolean ended;

    MassCalls(ClientConfig config, Engine.Present engine) {
        this.config = config;
        this.engine = engine;
    }

    /** Begins calls for one lock. The limits of all end this long from now, or evenly within a time after that. */
    void expire(int count, Duration limit, Duration within, LockSpec spec) {
        long first = System.nanoTime() + limit.toNanos();
        for (int i = 0; i < count; i++) {
            long end = first + within.toNanos() * i / count;
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            CompletableFuture<CallResult> unused = begin(new LockCall(LockCall.How.ACQUIRE, left, spec), Duration.ZERO);
        }
    }

    /** Begins tasks, each of which acquires the lock, holds it for this long and releases it, again and again. */
    void repeat(int count, Duration time, LockSpec spec) {
        for (int i = 0; i < count; i++) {
            repeat(new LockCall(LockCall.How.ACQUIRE, LONG, spec), time);
        }
    }

    /** Begins one call for each of these locks, whose names end with "-0", "-1" and so on. */
    void each(int count, String spec) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<CallResult> unused =
                    begin(LockCall.forever(LockSpec.parse(spec + "-" + i)), Duration.ZERO);
        }
    }

    /** Requests the lock and cancels the request, in several threads without a pause, for this long. */
    void cancel(int threads, Duration time, String lock) {
        storm(
                threads,
                time,
                () -> engine.get().registry().lock(lock).acquireAsync().cancel(true));
    }

    /** Requests the lock if it is free, in several threads without a pause, for this long. */
    @SuppressWarnings("FutureReturnValueIgnored") // the numbers are reported
    void attempt(int threads, Duration time, LockSpec spec) {
        LockCall call = new LockCall(LockCall.How.ACQUIRE, Duration.ZERO, spec);
        storm(threads, time, () -> begin(call, Duration.ZERO));
    }

    private void storm(int threads, Duration time, Runnable call) {
        long end = System.nanoTime() + time.toNanos();
        storming.addAndGet(threads);
        for (int i = 0; i < threads; i++) {
            DaemonThreads.start("storm", () -> {
                while (System.nanoTime() - end < 0 && !ended) {
                    storms.incrementAndGet();
                    call.run();
                }
                storming.decrementAndGet();
            });
        }
    }

    /** Reports the numbers of calls and answers so far. */
    void report() {
        config.report(
                Kind.NOTED,
                "storming storms open granted released timeouts others other lateNanos lastGrantAt",
                storming,
                storms,
                open,
                granted,
                released,
                timeouts,
                others,
                other,
                late,
                lastGrantAt);
    }

    /** Lets no call be repeated any more. The last answers come later. */
    void end() {
        ended = true;
    }

    /** Waits, if there were calls, until the engine has dropped their requests, so that these are not on the heap. */
    void awaitForgotten() throws InterruptedException {
        if (granted.get() + timeouts.get() + others.get() > 0) {
            Thread.sleep(UNTIL_FORGOTTEN_MILLIS);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the numbers are reported
    private void repeat(LockCall call, Duration time) {
        begin(call, time).thenAccept(result -> {
            if (ended) {
                return;
            }
            if (result.outcome() == Outcome.RELEASED) {
                repeat(call, time);
            } else {
                AFTER_REFUSAL.execute(() -> repeat(call, time));
            }
        });
    }

    private CompletableFuture<CallResult> begin(LockCall call, Duration time) {
        long due = System.nanoTime() + call.maxWait().toNanos();
        open.incrementAndGet();
        return begun(call, time).handle((result, failure) -> count(result, failure, due));
    }

    private CompletableFuture<CallResult> begun(LockCall call, Duration time) {
        try {
            return engine.get().begin(call, ended ? Duration.ZERO : time, this::granted);
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private void granted() {
        lastGrantAt = System.nanoTime();
        granted.incrementAndGet();
    }

    private CallResult count(@Nullable CallResult result, @Nullable Throwable failure, long due) {
        CallResult answer = result != null ? result : new CallResult(Outcome.REFUSED, String.valueOf(failure));
        switch (answer.outcome()) {
            case RELEASED -> released.incrementAndGet();
            case TIMEOUT -> timeouts.incrementAndGet();
            default -> {
                others.incrementAndGet();
                other = answer.toString();
            }
        }
        if (answer.outcome() != Outcome.RELEASED) {
            late.accumulateAndGet(System.nanoTime() - due, Math::max);
        }
        open.decrementAndGet();
        return answer;
    }
}
