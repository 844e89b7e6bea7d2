package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reports one grant, from its begin to its end. */
final class HoldReport {

    /** The time between two questions to the lock. */
    static final long BETWEEN_SAMPLES_NANOS = 10_000_000L;

    private final ClientConfig config;
    private final long number;
    private final LockSpec spec;
    private final HeldLock heldLock;
    private final long grantedAt = System.nanoTime();

    private HoldReport(ClientConfig config, long number, LockSpec spec, HeldLock heldLock) {
        this.config = config;
        this.number = number;
        this.spec = spec;
        this.heldLock = heldLock;
    }

    private void begin(long callNumber, String session) {
        String keys = "callNumber token session spec node";
        report(grantedAt, Kind.GRANTED, keys, callNumber, heldLock.token(), session, spec, heldLock.node());
        heldLock.onLost(() -> report(Kind.LOST));
        heldLock.onReleased(() -> report(Kind.RELEASE_SEEN), () -> report(Kind.RELEASE_UNKNOWN));
    }

    /**
     * Holds the lock for this long or until the latch opens, and then does the remaining work. An interrupt ends the
     * hold as well, and stays set for the release.
     */
    void until(CountDownLatch end, Duration time, Runnable last) {
        Optional<RegisterClient> register =
                spec.isExclusive() ? RegisterClient.begin(spec.lock(), heldLock.token()) : Optional.empty();
        try {
            long left = time.toNanos();
            do {
                sample();
            } while (!end.await(Math.min(left, BETWEEN_SAMPLES_NANOS), TimeUnit.NANOSECONDS)
                    && (left = time.toNanos() - (System.nanoTime() - grantedAt)) > 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            last.run();
        } finally {
            Sample lastSample = sample();
            register.ifPresent(access -> write(access, lastSample));
            releasing();
        }
    }

    /** Reports that the lock will be released, if the holder does not use {@link #until}. */
    void releasing() {
        boolean interrupted = Thread.currentThread().isInterrupted();
        report(System.nanoTime(), Kind.RELEASING, "interrupted", interrupted);
    }

    /** Reports the end of the call that held the lock. */
    void closed(CallResult answer) {
        String result = answer.outcome().endOfHold();
        if (result.isEmpty()) {
            report(System.nanoTime(), Kind.FAILED, "message", answer);
            return;
        }
        boolean interrupted = Thread.currentThread().isInterrupted();
        String keys = "interrupted result message";
        report(System.nanoTime(), Kind.CLOSED, keys, interrupted, result, answer.message());
    }

    private void write(RegisterClient access, Sample last) {
        try (access) {
            access.write(config.instance(), number, last.held() ? last.before() : 0, last.remaining());
        }
    }

    private Sample sample() {
        long before = System.nanoTime();
        boolean held = heldLock.isHeld();
        long remaining = heldLock.remainingNanos();
        String state = heldLock.state();
        long after = System.nanoTime();
        report(before, Kind.SAMPLE, "after held remaining state", after, held, remaining, state);
        return new Sample(before, after, held, remaining);
    }

    private void report(Kind kind) {
        config.report(kind, "hold", number);
    }

    private void report(long at, Kind kind, String keys, Object... values) {
        config.report(Event.of(config.instance(), at, kind, "hold", number).with(keys, values));
    }

    /** Reports one call for a lock and its answer. The calling thread uses it. */
    static final class Call {

        private final ClientConfig config;
        private final long number;
        private final LockCall call;
        private final AtomicLong holds;

        private @Nullable HoldReport holdReport;

        /**
         * Created before the call.
         *
         * @param number counts the calls of the process
         * @param holds counts the grants of the process
         */
        Call(ClientConfig config, long number, LockCall call, AtomicLong holds) {
            this.config = config;
            this.number = number;
            this.call = call;
            this.holds = holds;
            config.report(event(Kind.REQUESTED));
        }

        /** Creates the report of a grant, as soon as the lock is granted. */
        HoldReport granted(LockSpec spec, HeldLock heldLock, Engine engine) {
            HoldReport granted = new HoldReport(config, holds.incrementAndGet(), spec, heldLock);
            holdReport = granted;
            granted.begin(number, engine.session());
            return granted;
        }

        /** Reports the end of the last grant. */
        void closed(CallResult answer) {
            if (holdReport != null) {
                holdReport.closed(answer);
            }
        }

        void answered(CallResult answer) {
            if (holdReport != null) {
                holdReport.closed(answer);
            } else if (answer.outcome().endOfHold().isEmpty()) {
                Kind kind = Kind.valueOf(answer.outcome().name());
                boolean interrupted = Thread.currentThread().isInterrupted();
                config.report(event(kind).with("message flag", answer.message(), interrupted));
            } else {
                config.report(event(Kind.FAILED).with("message", answer + " without a grant"));
            }
        }

        void interrupted() {
            config.report(
                    event(Kind.INTERRUPTED).with("flag", Thread.currentThread().isInterrupted()));
        }

        private Event event(Kind kind) {
            return Event.of(config.instance(), System.nanoTime(), kind, "callNumber call", number, call);
        }
    }
}
