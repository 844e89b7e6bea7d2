package io.github.zklock.aop;

import io.github.zklock.internal.Words;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The longest time for which a call waits for its lock.
 *
 * @param limit null to wait without limit
 */
public record WaitTime(@Nullable Duration limit) {

    /** Waits without limit, also during an outage. */
    public static final WaitTime FOREVER = new WaitTime(null);

    public WaitTime {
        if (limit != null && limit.isNegative()) {
            throw new IllegalArgumentException(Words.of(limit) + " is negative; use 0 not to wait");
        }
    }

    /**
     * Parses {@code forever}, {@code 0}, or a duration with a unit.
     *
     * @throws IllegalArgumentException if the text has another form; the message names the permitted forms
     */
    public static WaitTime parse(String text) {
        return text.strip().equalsIgnoreCase("forever") ? FOREVER : new WaitTime(parseDuration(text));
    }

    /**
     * Parses {@code 0}, or a duration with a unit.
     *
     * @throws IllegalArgumentException if the text has another form; the message names the permitted forms
     */
    public static Duration parseDuration(String text) {
        String stripped = text.strip();
        if (stripped.equals("0")) {
            return Duration.ZERO;
        }
        if (stripped.chars().allMatch(Character::isDigit)) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write 500ms, 2s or PT2S");
        }
        try {
            return DurationFormatterUtils.detectAndParse(stripped);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException("'" + text + "' is not a duration; write 500ms, 2s or PT2S", unreadable);
        }
    }

    /** Returns the shorter wait. */
    WaitTime orLess(WaitTime other) {
        if (limit == null || other.limit == null) {
            return limit == null ? other : this;
        }
        return limit.compareTo(other.limit) <= 0 ? this : other;
    }

    @Override
    public String toString() {
        return limit == null ? "forever" : Words.of(limit);
    }
}
