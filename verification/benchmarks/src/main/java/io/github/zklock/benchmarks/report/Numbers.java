package io.github.zklock.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers with as many digits as they deserve. */
final class Numbers {

    private static final double WHOLE = 100;
    private static final double TENTHS = 10;

    private Numbers() {}

    static String of(OptionalDouble value) {
        return value.isPresent() ? of(value.getAsDouble()) : "-";
    }

    static String of(double value) {
        double size = Math.abs(value);
        if (size >= WHOLE || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= TENTHS ? "%.1f" : "%.2f", value);
    }
}
