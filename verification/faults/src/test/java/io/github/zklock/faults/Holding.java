package io.github.zklock.faults;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.faults.Event.Kind;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One grant in a client process, which tells of itself from its first to its last moment. */
final class Holding {

    private static final long BETWEEN_SAMPLES_NANOS = 10_000_000L;

    private final String source;
    private final long number;
    private final Wish wish;
    private final LockHandle handle;
    private final long grantedAt;

    /** To be made as soon as the lock is there. */
    Holding(String source, long number, Wish wish, LockHandle handle) {
        this.grantedAt = System.nanoTime();
        this.source = source;
        this.number = number;
        this.wish = wish;
        this.handle = handle;
    }

    Holding begin(String session) {
        say(grantedAt, Kind.GRANTED, "token", handle.fencingToken(), "session", session, "wish", wish);
        handle.onLost(() -> say(System.nanoTime(), Kind.LOST));
        return this;
    }

    /** Holds for that long or until the latch opens, then gives the lock back. An interrupt ends the hold as well. */
    void until(CountDownLatch end, long time, TimeUnit unit) throws InterruptedException {
        try {
            long left = unit.toNanos(time);
            do {
                sample();
            } while (!end.await(Math.min(left, BETWEEN_SAMPLES_NANOS), TimeUnit.NANOSECONDS)
                    && (left = unit.toNanos(time) - (System.nanoTime() - grantedAt)) > 0);
        } finally {
            sample();
            release();
        }
    }

    private void sample() {
        long before = System.nanoTime();
        boolean held = handle.isHeld();
        long remaining = handle.remaining().toNanos();
        LockState state = handle.state();
        long after = System.nanoTime();
        say(before, Kind.SAMPLE, "after", after, "held", held, "remaining", remaining, "state", state);
    }

    private void release() {
        say(System.nanoTime(), Kind.RELEASING);
        try {
            handle.close();
            say(System.nanoTime(), Kind.CLOSED, "result", "ok");
        } catch (LockLostException lost) {
            say(System.nanoTime(), Kind.CLOSED, "result", "lost", "message", lost.getMessage());
        }
    }

    private void say(long at, Kind kind, Object... keysAndValues) {
        Object[] all = new Object[keysAndValues.length + 2];
        all[0] = "hold";
        all[1] = number;
        System.arraycopy(keysAndValues, 0, all, 2, keysAndValues.length);
        System.out.println(Event.of(source, at, kind, all));
    }
}
