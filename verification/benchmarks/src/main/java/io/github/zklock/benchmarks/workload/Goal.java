package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A goal for one figure.
 *
 * @param versus the entry with which the figure is compared; null for an absolute bound
 */
public record Goal(
        Sort sort,
        double bound,
        Figure figure,
        String label,
        @Nullable String versus) {

    /** The comparison. */
    public enum Sort {
        AT_LEAST,
        AT_MOST,
        /** At most so much more than the figure of the other entry; all others compare by a ratio. */
        AT_MOST_MORE
    }

    static Goal atLeast(double bound, Figure figure, String label) {
        return new Goal(Sort.AT_LEAST, bound, figure, label, null);
    }

    static Goal atMost(double bound, Figure figure, String label) {
        return new Goal(Sort.AT_MOST, bound, figure, label, null);
    }

    static Goal atLeastTimes(double bound, Figure figure, String label, String versus) {
        return new Goal(Sort.AT_LEAST, bound, figure, label, versus);
    }

    static Goal atMostTimes(double bound, Figure figure, String label, String versus) {
        return new Goal(Sort.AT_MOST, bound, figure, label, versus);
    }

    static Goal atMostMore(double bound, Figure figure, String label, String versus) {
        return new Goal(Sort.AT_MOST_MORE, bound, figure, label, versus);
    }

    /** Returns the measured value over all rounds; empty if an entry was not measured. */
    public OptionalDouble reached(Outcome outcome) {
        if (versus == null) {
            return outcome.overall(label, figure);
        }
        return sort == Sort.AT_MOST_MORE
                ? outcome.compare(label, versus, figure, (one, other) -> one - other)
                : outcome.compare(label, versus, figure, (one, other) -> one / other);
    }

    /** Returns whether the goal was reached; false if an entry was not measured. */
    public boolean isReached(Outcome outcome) {
        OptionalDouble value = reached(outcome);
        return value.isPresent() && isReachedBy(value.getAsDouble());
    }

    boolean isReachedBy(double value) {
        return sort == Sort.AT_LEAST ? value >= bound : value <= bound;
    }
}
