package io.github.zklock.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Formats numbers with at most two decimals. */
final class Numbers {

    private static final double WHOLE = 100;
    private static final double TENTHS = 10;
    private static final int LONGEST = 9;

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

    /** Formats a value with as many digits as it takes to distinguish it from a bound. */
    static String beside(double bound, double value) {
        String text = of(value);
        for (int digits = 1; value != bound && reads(text) == bound && digits < LONGEST; digits++) {
            text = String.format(Locale.ROOT, "%,." + digits + "f", value);
        }
        return text;
    }

    private static double reads(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }
}
