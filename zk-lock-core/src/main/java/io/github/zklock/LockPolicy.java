package io.github.zklock;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one lock in one process: the hand-off between its threads, and the limits of a hold.
 *
 * <p>Not guaranteed: that other processes use the same policy. A hand-off and a maximum hold apply only to the process
 * that configures them.
 *
 * @param handOff how the threads of the process share the lock
 * @param maxHold the time after which the registry takes the lock from its holder; null for no limit; from a
 *     millisecond to 24 days
 * @param holdWarning the time after which the registry warns of a holder; null for no warning; from a millisecond to 24
 *     days
 */
public record LockPolicy(
        HandOff handOff,
        @Nullable Duration maxHold,
        @Nullable Duration holdWarning) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);
    private static final LockPolicy DEFAULTS =
            new LockPolicy(HandOff.bounded(1_024, Duration.ofMillis(50)), null, Duration.ofMinutes(1));

    public LockPolicy {
        Objects.requireNonNull(handOff, "handOff");
        check("maximum hold", maxHold);
        check("hold warning threshold", holdWarning);
    }

    /**
     * Returns the default policy: up to 1,024 turns or 50 ms of one seat, no maximum hold, a warning after a minute.
     */
    public static LockPolicy defaults() {
        return DEFAULTS;
    }

    /** Returns the same policy with another hand-off. */
    public LockPolicy handOff(HandOff other) {
        return new LockPolicy(other, maxHold, holdWarning);
    }

    /** Returns the same policy with another maximum hold; null for no limit. */
    public LockPolicy maxHold(@Nullable Duration other) {
        return new LockPolicy(handOff, other, holdWarning);
    }

    /** Returns the same policy with another threshold of the hold warning; null for no warning. */
    public LockPolicy holdWarning(@Nullable Duration other) {
        return new LockPolicy(handOff, maxHold, other);
    }

    private static void check(String what, @Nullable Duration value) {
        if (value == null) {
            return;
        }
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("The " + what + " " + Words.of(value)
                    + " is shorter than a millisecond; use a millisecond or more");
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The " + what + " " + Words.of(value) + " is longer than 24 days; use a shorter time");
        }
    }
}
