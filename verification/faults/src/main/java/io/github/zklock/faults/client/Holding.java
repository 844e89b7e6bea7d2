package io.github.zklock.faults.client;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold.Sample;
import io.github.zklock.faults.record.Wish;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One grant in a client process, which tells of itself from its first to its last moment. */
final class Holding {

    /** Between two questions to the grip. */
    static final long BETWEEN_SAMPLES_NANOS = 10_000_000L;

    private final String source;
    private final long number;
    private final long ask;
    private final Wish wish;
    private final Grip grip;
    private final long grantedAt;

    /**
     * To be made as soon as the lock is there.
     *
     * @param ask which call it answers
     */
    Holding(String source, long number, long ask, Wish wish, Grip grip) {
        this.grantedAt = System.nanoTime();
        this.source = source;
        this.number = number;
        this.ask = ask;
        this.wish = wish;
        this.grip = grip;
    }

    Holding begin(String session) {
        String node = grip.node();
        say(grantedAt, Kind.GRANTED, "ask", ask, "token", grip.token(), "session", session, "wish", wish, "node", node);
        grip.onLost(() -> say(System.nanoTime(), Kind.LOST));
        grip.onReleased(() -> say(System.nanoTime(), Kind.SEEN), () -> say(System.nanoTime(), Kind.UNSEEN));
        return this;
    }

    /**
     * Holds for that long or until the latch opens, and then does what else is to be done under the lock. An interrupt ends
     * the hold as well, and stays for the release.
     */
    void until(CountDownLatch end, Duration time, Runnable last) {
        Optional<RegisterAccess> register =
                wish.isAlone() ? RegisterAccess.begin(wish.lock(), grip.token()) : Optional.empty();
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

    /** To be said before the lock is given back, by whoever does not hold it by {@link #until}. */
    void releasing() {
        boolean interrupted = Thread.currentThread().isInterrupted();
        say(System.nanoTime(), Kind.RELEASING, "interrupted", interrupted);
    }

    /** To be said when the call that had the lock has come back. */
    void closed(Answer answer) {
        switch (answer.outcome()) {
            case GIVEN_BACK -> closed("ok", answer);
            case LOST -> closed("lost", answer);
            case THREW -> closed("threw", answer);
            case FAILED_BY_ERROR -> closed("error", answer);
            default -> say(System.nanoTime(), Kind.FAILED, "message", answer);
        }
    }

    private void closed(String result, Answer answer) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        say(System.nanoTime(), Kind.CLOSED, "interrupted", interrupted, "result", result, "message", answer.message());
    }

    private void write(RegisterAccess access, Sample last) {
        try (access) {
            access.write(source, number, last.held() ? last.before() : 0, last.remaining());
        }
    }

    private Sample sample() {
        long before = System.nanoTime();
        boolean held = grip.isHeld();
        long remaining = grip.remainingNanos();
        String state = grip.state();
        long after = System.nanoTime();
        say(before, Kind.SAMPLE, "after", after, "held", held, "remaining", remaining, "state", state);
        return new Sample(before, after, held, remaining);
    }

    private void say(long at, Kind kind, Object... keysAndValues) {
        Object[] all = new Object[keysAndValues.length + 2];
        all[0] = "hold";
        all[1] = number;
        System.arraycopy(keysAndValues, 0, all, 2, keysAndValues.length);
        System.out.println(Event.of(source, at, kind, all));
    }
}
