package io.github.zklock.cli;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.TypeConversionException;

/** Durations as in Spring Boot's properties, always with a unit. */
final class Durations {

    private Durations() {}

    static Duration parse(String text) {
        String remedy = "'" + text + "' is not a duration; use for example 500ms, 10s, 5m, 1h or PT10S";
        if (text.chars().allMatch(Character::isDigit)) {
            throw new TypeConversionException(remedy);
        }
        try {
            Duration duration = DurationStyle.detectAndParse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (IllegalArgumentException unknownStyle) {
            // the message below names the remedy
        }
        throw new TypeConversionException(remedy);
    }
}
