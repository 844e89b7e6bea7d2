package io.github.zklock.internal;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Durations, counts, threads and stacks as people write them, for messages and logs. */
public final class Words {

    private static final int NANOS_OF_A_MILLI = 1_000_000;
    private static final int NANOS_OF_A_SECOND = 1_000_000_000;

    /** From here on, a duration is given in days. */
    private static final long MANY_DAYS = 2;

    private Words() {}

    /**
     * Returns a duration such as {@code 600 ms}, {@code 1.5 s}, {@code 4 min 27 s}, {@code 24 h} or {@code 3 d 2 h}. From
     * a minute on, only the two largest units are given.
     */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            // the most negative duration has no positive counterpart
            return "-"
                    + of(
                            duration.toSeconds() == Long.MIN_VALUE
                                    ? Duration.ofSeconds(Long.MAX_VALUE)
                                    : duration.negated());
        }
        if (duration.toDays() >= MANY_DAYS) {
            return two(duration.toDays(), "d", duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
        }
        if (duration.toMinutes() > 0) {
            return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        long nanos = duration.toNanos();
        return nanos > 0 && nanos < NANOS_OF_A_SECOND ? millis(nanos) : decimal(nanos / NANOS_OF_A_MILLI, 3) + " s";
    }

    private static String millis(long nanos) {
        // a positive duration is never given as zero
        return (nanos < NANOS_OF_A_MILLI ? decimal(nanos, 6) : Long.toString(nanos / NANOS_OF_A_MILLI)) + " ms";
    }

    private static String decimal(long unscaled, int scale) {
        return BigDecimal.valueOf(unscaled, scale).stripTrailingZeros().toPlainString();
    }

    private static String two(long large, String largeUnit, int small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    /**
     * Returns the name of a thread, or {@code #} and its number if it has no name, as virtual threads.
     */
    public static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.getId() : name;
    }

    /** Returns the frames of a stack, one in a line. */
    public static String of(Stream<StackTraceElement> frames) {
        return frames.map(frame -> "    at " + frame).collect(Collectors.joining("\n"));
    }

    /** Returns a number with its noun, whose plural ends with an s: {@code 1 lock}, {@code 2 locks}. */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
