package io.github.zklock.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in ISO 8601 with whole milliseconds, independent of the JSON configuration of the application. */
final class Texts {

    private Texts() {}

    static String of(Duration duration) {
        return duration.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static String of(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
