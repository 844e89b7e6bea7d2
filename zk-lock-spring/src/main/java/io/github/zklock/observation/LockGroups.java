package io.github.zklock.observation;

import io.github.zklock.LockName;
import io.github.zklock.support.NamePattern;
import java.util.List;

/**
 * Groups of locks by name patterns: the first pattern that matches is the group. A group is a tag of meters. A name is
 * not, because an application can have millions of names.
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
