package io.github.zklock.observation;

import io.github.zklock.LockName;
import io.github.zklock.support.NamePattern;
import java.util.List;

/**
 * Sorts locks into groups by patterns of their names: the first pattern that matches is the group. Groups are tags of
 * meters; names are not, as an application can have millions of them.
 */
final class LockGroups {

    /** The group of locks that match no pattern. */
    static final String OTHER = "other";

    private final List<NamePattern> patterns;

    LockGroups(List<String> patterns) {
        this.patterns = patterns.stream().map(NamePattern::new).toList();
    }

    String of(LockName name) {
        for (NamePattern pattern : patterns) {
            if (pattern.matches(name)) {
                return pattern.value();
            }
        }
        return OTHER;
    }
}
