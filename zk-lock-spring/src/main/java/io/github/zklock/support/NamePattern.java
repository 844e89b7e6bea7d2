package io.github.zklock.support;

import io.github.zklock.LockName;
import org.springframework.util.AntPathMatcher;

/**
 * The name of a lock, or a pattern of such names: {@code ?} is one character, {@code *} is any number of them within a
 * segment, {@code **} is any number of segments, also none.
 *
 * @param value with a leading and without a trailing slash, as the names that it is compared with
 */
public record NamePattern(String value) {

    // PathPattern of Spring is in spring-web, and has no ** in the middle
    private static final AntPathMatcher MATCHER = new AntPathMatcher();

    /** @throws IllegalArgumentException if the pattern matches no lock, or has a character that looks like a wildcard */
    public NamePattern {
        String canonical = LockName.of(value).value();
        if (canonical.indexOf('{') >= 0 || canonical.indexOf('}') >= 0) {
            throw new IllegalArgumentException("'" + value + "' has braces, which stand for nothing");
        }
        for (String segment : LockName.of(canonical).segments()) {
            if (segment.contains("**") && !segment.equals("**")) {
                throw new IllegalArgumentException("'" + value + "' has ** inside a segment");
            }
        }
        value = canonical;
    }

    public boolean matches(LockName name) {
        return MATCHER.match(value, name.value());
    }

    /** Whether a list in which the first match counts never reaches the other one behind this one. */
    public boolean hides(NamePattern other) {
        return value.equals(other.value) || (!MATCHER.isPattern(other.value) && MATCHER.match(value, other.value));
    }

    @Override
    public String toString() {
        return value;
    }
}
