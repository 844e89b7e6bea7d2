package io.github.zklock;

import java.time.Duration;
import java.util.Objects;

/**
 * How the threads of one process share a lock that others in the cluster want too.
 *
 * <p>{@link Policy#BOUNDED}: the process has one seat in the lock's queue (for readers and a writer one each, for permits
 * as many as the semaphore has) and hands it from thread to thread in memory, first come first served. After each {@code
 * maxTurns} turns or {@code maxTime} it looks, for one round trip in which turns go on, whether others stand in line; if so, the
 * process queues anew behind them. {@link Policy#STRICT}: every acquisition has a seat of its own, so the order is first come
 * first served over the whole cluster.
 *
 * @param maxTurns positive; without effect under {@code STRICT}
 * @param maxTime positive; without effect under {@code STRICT}
 * @param linger how long a process keeps the seat of a lock that none of its threads holds, so that it acquires the lock
 *     again without a request to ZooKeeper. Such a lock is free for every process: if another process queues, or tries to
 *     acquire it without a wait, this process leaves at once. {@link LockHandle#released()} completes only when the linger
 *     ends. Zero does not linger, and {@code STRICT} never lingers
 */
public record HandOff(Policy policy, int maxTurns, Duration maxTime, Duration linger) {

    private static final HandOff STRICT = new HandOff(Policy.STRICT, 1, Duration.ofMillis(1), Duration.ZERO);

    public HandOff {
        Objects.requireNonNull(policy, "policy");
        if (maxTurns < 1) {
            throw new IllegalArgumentException("max-turns " + maxTurns + " is not positive; use 1 or more");
        }
        if (maxTime.isZero() || maxTime.isNegative()) {
            throw new IllegalArgumentException("max-time " + maxTime + " is not positive; use PT0.001S or more");
        }
        if (linger.isNegative()) {
            throw new IllegalArgumentException(
                    "linger " + linger + " is negative; use zero to give the seat back at once");
        }
        if (policy == Policy.STRICT && !linger.isZero()) {
            throw new IllegalArgumentException("linger " + linger
                    + " contradicts the policy STRICT, whose seats serve one turn;" + " use BOUNDED or no linger");
        }
    }

    /** One seat per process. */
    public static HandOff bounded(int maxTurns, Duration maxTime) {
        return new HandOff(Policy.BOUNDED, maxTurns, maxTime, Duration.ZERO);
    }

    /** One seat per acquisition. */
    public static HandOff strict() {
        return STRICT;
    }

    /** Returns the same hand-off with this linger time. */
    public HandOff lingering(Duration time) {
        return new HandOff(policy, maxTurns, maxTime, time);
    }

    /** Who shares a seat. */
    public enum Policy {
        /** The threads of a process, for a bounded number of turns. */
        BOUNDED,
        /** Nobody. */
        STRICT
    }
}
