package io.github.zklock.support;

import io.github.zklock.LockName;
import org.springframework.util.AntPathMatcher;

/**
 * The name of a lock, or a pattern of such names. {@code ?} matches one character, {@code *} any number of characters
 * within a segment, and {@code **} any number of segments, including none.
 *
 * @param value the pattern, with a leading and without a trailing slash, as in lock names
 */
public record NamePattern(String value) {

    // Spring's PathPattern is in spring-web, and does not support ** in the middle
    private static final AntPathMatcher MATCHER = new AntPathMatcher();

    /** @throws IllegalArgumentException if the pattern cannot match a lock, or contains braces */
    public NamePattern {
        String canonical = LockName.of(value).value();
        if (canonical.indexOf('{') >= 0 || canonical.indexOf('}') >= 0) {
            throw new IllegalArgumentException("'" + value + "' contains braces, which are no wildcard");
        }
        for (String segment : LockName.of(canonical).segments()) {
            if (segment.contains("**") && !segment.equals("**")) {
                throw new IllegalArgumentException("'" + value + "' contains ** inside a segment");
            }
        }
        value = canonical;
    }

    public boolean matches(LockName name) {
        return MATCHER.match(value, name.value());
    }

    /** Returns whether the other pattern is unreachable if it follows this one in a list whose first match counts. */
    public boolean hides(NamePattern other) {
        return value.equals(other.value) || (!MATCHER.isPattern(other.value) && MATCHER.match(value, other.value));
    }

    @Override
    public String toString() {
        return value;
    }
}
