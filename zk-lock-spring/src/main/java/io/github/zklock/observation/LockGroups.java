package io.github.zklock.observation;

import io.github.zklock.LockName;
import java.util.List;
import org.springframework.util.AntPathMatcher;

/**
 * Sorts locks into groups by patterns of their names: the first pattern that matches is the group. Groups are tags of
 * meters; names are not, as an application can have millions of them.
 */
final class LockGroups {

    /** The group of locks that match no pattern. */
    static final String OTHER = "other";

    private static final AntPathMatcher MATCHER = new AntPathMatcher();

    private final List<String> patterns;

    LockGroups(List<String> patterns) {
        this.patterns =
                patterns.stream().map(pattern -> LockName.of(pattern).value()).toList();
    }

    String of(LockName name) {
        for (String pattern : patterns) {
            if (MATCHER.match(pattern, name.value())) {
                return pattern;
            }
        }
        return OTHER;
    }
}
