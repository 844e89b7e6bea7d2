package io.github.zklock.benchmarks.workload;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What is hoped of one figure.
 *
 * @param versus whose figure it is compared with; null if the figure speaks for itself
 */
public record Goal(
        Sort sort,
        double bound,
        String figure,
        String label,
        @Nullable String versus) {

    /** What is compared, and how. */
    public enum Sort {
        AT_LEAST,
        AT_MOST,
        AT_LEAST_TIMES,
        AT_MOST_TIMES,
        AT_MOST_MORE
    }

    static Goal atLeast(double bound, String figure, String label) {
        return new Goal(Sort.AT_LEAST, bound, figure, label, null);
    }

    static Goal atMost(double bound, String figure, String label) {
        return new Goal(Sort.AT_MOST, bound, figure, label, null);
    }

    static Goal atLeastTimes(double bound, String figure, String label, String versus) {
        return new Goal(Sort.AT_LEAST_TIMES, bound, figure, label, versus);
    }

    static Goal atMostTimes(double bound, String figure, String label, String versus) {
        return new Goal(Sort.AT_MOST_TIMES, bound, figure, label, versus);
    }

    static Goal atMostMore(double bound, String figure, String label, String versus) {
        return new Goal(Sort.AT_MOST_MORE, bound, figure, label, versus);
    }

    /** What was reached in all rounds; empty if somebody was not there. */
    public OptionalDouble reached(Outcome outcome) {
        if (versus == null) {
            return outcome.overall(label, figure);
        }
        return sort == Sort.AT_MOST_MORE
                ? outcome.compare(label, versus, figure, (one, other) -> one - other)
                : outcome.compare(label, versus, figure, (one, other) -> one / other);
    }

    /** Whether it was reached; not if somebody was not there. */
    public boolean isReached(Outcome outcome) {
        OptionalDouble value = reached(outcome);
        return value.isPresent() && isReachedBy(value.getAsDouble());
    }

    boolean isReachedBy(double value) {
        return switch (sort) {
            case AT_LEAST, AT_LEAST_TIMES -> value >= bound;
            case AT_MOST, AT_MOST_TIMES, AT_MOST_MORE -> value <= bound;
        };
    }
}
