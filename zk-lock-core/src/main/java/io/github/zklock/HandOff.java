package io.github.zklock;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.Objects;

/**
 * The policy by which the threads of one process share a lock that other processes want too.
 *
 * <p>{@link Policy#BOUNDED}: the process has one seat in the lock's queue and passes the lock from thread to thread in
 * memory, in the order of their requests. (Readers and writers have one seat each; a semaphore has at most as many
 * seats as permits.) After each {@code maxTurns} turns or {@code maxTime} the process checks, by one round trip during
 * which turns continue, whether other processes wait. If they do, the process queues again behind them. {@link
 * Policy#STRICT}: each acquisition has a seat of its own, so the whole cluster acquires the lock in the order of
 * requests. Each seat takes a part of the seat budget of the registry; beyond it, requests fail at once.
 *
 * @param policy which threads share a seat
 * @param maxTurns the number of turns after which the process checks for waiters; positive; without effect under {@code
 *     STRICT}
 * @param maxTime the time after which the process checks for waiters; positive; without effect under {@code STRICT}
 * @param linger how long a process keeps the seat of a lock that none of its threads holds, so that it acquires the
 *     lock again without a request to ZooKeeper, as long as a watch shows that no other process waits. Such a lock is
 *     free for every process: if another process queues for it, or tries to acquire it without a wait, this process
 *     leaves at once. {@link LockHandle#released()} completes only when the linger ends. Zero means no linger; {@code
 *     STRICT} requires zero
 */
public record HandOff(Policy policy, int maxTurns, Duration maxTime, Duration linger) {

    private static final HandOff STRICT = new HandOff(Policy.STRICT, 1, Duration.ofMillis(1), Duration.ZERO);

    public HandOff {
        Objects.requireNonNull(policy, "policy");
        if (maxTurns < 1) {
            throw new IllegalArgumentException("max-turns " + maxTurns + " is not positive; use 1 or more");
        }
        if (maxTime.isZero() || maxTime.isNegative()) {
            throw new IllegalArgumentException("max-time " + Words.of(maxTime) + " is not positive; use 1 ms or more");
        }
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger " + Words.of(linger) + " is negative; use zero for no linger");
        }
        if (policy == Policy.STRICT && !linger.isZero()) {
            throw new IllegalArgumentException("linger " + Words.of(linger)
                    + " contradicts the policy STRICT, whose seats serve one turn;" + " use BOUNDED or no linger");
        }
    }

    /** Returns a policy with one seat per process, without linger. */
    public static HandOff bounded(int maxTurns, Duration maxTime) {
        return new HandOff(Policy.BOUNDED, maxTurns, maxTime, Duration.ZERO);
    }

    /** Returns the policy with one seat per acquisition. */
    public static HandOff strict() {
        return STRICT;
    }

    /**
     * Returns the same hand-off with this linger time.
     *
     * @throws IllegalArgumentException if the time is negative, or positive under {@code STRICT}
     */
    public HandOff lingering(Duration time) {
        return new HandOff(policy, maxTurns, maxTime, time);
    }

    /** Which threads share a seat. */
    public enum Policy {
        /** The threads of a process share a seat, for a bounded number of turns. */
        BOUNDED,
        /** No two acquisitions share a seat. */
        STRICT
    }
}
