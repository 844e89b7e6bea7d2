package io.github.zklock;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What applies to one lock in one process: how its threads share it, and for how long one of them may hold it.
 *
 * <p>Not guaranteed: that other processes go by the same. A hand-off and a maximum hold bind only the process that has
 * them.
 *
 * @param maxHold takes the lock from a holder that has it for longer; null for no limit. From a millisecond to 24 days
 * @param holdWarning warns of a holder that has it for longer; null for no warning. From a millisecond to 24 days
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

    /** What applies unless something else is said: up to 1,024 turns or 50 ms of one seat, no limit, a warning after a minute. */
    public static LockPolicy defaults() {
        return DEFAULTS;
    }

    /** The same with another hand-off. */
    public LockPolicy handOff(HandOff other) {
        return new LockPolicy(other, maxHold, holdWarning);
    }

    /** The same with another maximum hold; null for no limit. */
    public LockPolicy maxHold(@Nullable Duration other) {
        return new LockPolicy(handOff, other, holdWarning);
    }

    /** The same with another threshold of the hold warning; null for no warning. */
    public LockPolicy holdWarning(@Nullable Duration other) {
        return new LockPolicy(handOff, maxHold, other);
    }

    private static void check(String what, @Nullable Duration value) {
        if (value == null) {
            return;
        }
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "The " + what + " " + value + " is not positive; use a millisecond or more");
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The " + what + " " + value + " is longer than 24 days; use less");
        }
    }
}
