package io.github.zklock.console;

import io.github.zklock.LockEvent;
import java.time.Duration;

/** What happened in a few seconds, added up. Guarded by its {@link LockHistory}. */
final class Bucket {

    private final long at;
    private int acquired;
    private int timeouts;
    private int unavailable;
    private int losses;
    private int released;
    private double waitedMillis;
    private double heldMillis;
    private double longestWaitMillis;
    private double longestHoldMillis;
    private int held;
    private int waiting;

    Bucket(long at, int held, int waiting) {
        this.at = at;
        stand(held, waiting);
    }

    long at() {
        return at;
    }

    void stand(int heldNow, int waitingNow) {
        held = heldNow;
        waiting = waitingNow;
    }

    int held() {
        return held;
    }

    int waiting() {
        return waiting;
    }

    void add(LockEvent event) {
        if (event instanceof LockEvent.Acquired grant) {
            acquired++;
            waitedMillis += millis(grant.waited());
            longestWaitMillis = Math.max(longestWaitMillis, millis(grant.waited()));
        } else if (event instanceof LockEvent.Released end) {
            released++;
            heldMillis += millis(end.held());
            longestHoldMillis = Math.max(longestHoldMillis, millis(end.held()));
        } else if (event instanceof LockEvent.TimedOut) {
            timeouts++;
        } else if (event instanceof LockEvent.Unavailable) {
            unavailable++;
        } else if (event instanceof LockEvent.Lost) {
            losses++;
        }
    }

    StateReport.Point point() {
        return new StateReport.Point(
                at,
                acquired,
                timeouts,
                unavailable,
                losses,
                mean(waitedMillis, acquired),
                longestWaitMillis,
                mean(heldMillis, released),
                longestHoldMillis,
                held,
                waiting);
    }

    private static double mean(double sum, int count) {
        return count == 0 ? 0 : Math.round(sum / count * 1000) / 1000.0;
    }

    private static double millis(Duration duration) {
        return Math.round(duration.toNanos() / 1000.0) / 1000.0;
    }
}
