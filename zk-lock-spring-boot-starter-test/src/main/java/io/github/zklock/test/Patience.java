package io.github.zklock.test;

import io.github.zklock.LockName;
import java.time.Duration;
import java.util.Objects;

/**
 * How long somebody waits.
 *
 * @param nanos from the moment of asking; {@link Long#MAX_VALUE} for ever
 * @param queues false for one who only asks: the time is then for the cluster to be reached
 * @param text for messages
 */
record Patience(long nanos, boolean queues, String text) {

    private static final Patience FOREVER = new Patience(Long.MAX_VALUE, true, "for ever");

    static Patience forever() {
        return FOREVER;
    }

    /** Asks the cluster, for at most this long. */
    static Patience onlyAsking(Duration connectionTimeout) {
        return new Patience(Alarms.nanos(connectionTimeout), false, "within " + connectionTimeout);
    }

    /** Waits for at most this long; zero only asks. */
    static Patience atMost(LockName name, Duration maxWait, Duration connectionTimeout) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("Lock '" + name + "': the wait " + maxWait
                    + " is negative; use zero to only ask, or a method without a wait to wait for ever");
        }
        return maxWait.isZero()
                ? onlyAsking(connectionTimeout)
                : new Patience(Alarms.nanos(maxWait), true, "within " + maxWait);
    }
}
