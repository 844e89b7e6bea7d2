package io.github.zklock.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in ISO 8601 and whole milliseconds, however the application's own JSON is set up. */
final class Texts {

    private Texts() {}

    static String of(Duration duration) {
        return duration.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static String of(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
