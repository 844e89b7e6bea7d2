package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reports one grant, from its begin to its end. */
final class HoldReport {

    /** The time between two questions to the lock. */
    static final long BETWEEN_SAMPLES_NANOS = 10_000_000L;

    private final String source;
    private final long number;
    private final long callNumber;
    private final LockSpec spec;
    private final HeldLock heldLock;
    private final long grantedAt;

    /**
     * Created as soon as the lock is granted.
     *
     * @param callNumber the number of the call
     */
    HoldReport(String source, long number, long callNumber, LockSpec spec, HeldLock heldLock) {
        this.grantedAt = System.nanoTime();
        this.source = source;
        this.number = number;
        this.callNumber = callNumber;
        this.spec = spec;
        this.heldLock = heldLock;
    }

    HoldReport begin(String session) {
        String node = heldLock.node();
        report(
                grantedAt,
                Kind.GRANTED,
                "callNumber",
                callNumber,
                "token",
                heldLock.token(),
                "session",
                session,
                "spec",
                spec,
                "node",
                node);
        heldLock.onLost(() -> report(System.nanoTime(), Kind.LOST));
        heldLock.onReleased(
                () -> report(System.nanoTime(), Kind.RELEASE_SEEN),
                () -> report(System.nanoTime(), Kind.RELEASE_UNKNOWN));
        return this;
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
        switch (answer.outcome()) {
            case RELEASED -> closed("ok", answer);
            case LOST -> closed("lost", answer);
            case THREW -> closed("threw", answer);
            case FAILED_BY_ERROR -> closed("error", answer);
            default -> report(System.nanoTime(), Kind.FAILED, "message", answer);
        }
    }

    private void closed(String result, CallResult answer) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        report(
                System.nanoTime(),
                Kind.CLOSED,
                "interrupted",
                interrupted,
                "result",
                result,
                "message",
                answer.message());
    }

    private void write(RegisterClient access, Sample last) {
        try (access) {
            access.write(source, number, last.held() ? last.before() : 0, last.remaining());
        }
    }

    private Sample sample() {
        long before = System.nanoTime();
        boolean held = heldLock.isHeld();
        long remaining = heldLock.remainingNanos();
        String state = heldLock.state();
        long after = System.nanoTime();
        report(before, Kind.SAMPLE, "after", after, "held", held, "remaining", remaining, "state", state);
        return new Sample(before, after, held, remaining);
    }

    private void report(long at, Kind kind, Object... keysAndValues) {
        Object[] all = new Object[keysAndValues.length + 2];
        all[0] = "hold";
        all[1] = number;
        System.arraycopy(keysAndValues, 0, all, 2, keysAndValues.length);
        System.out.println(Event.of(source, at, kind, all));
    }
}
