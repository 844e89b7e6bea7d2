package io.github.zklock.observation;

import io.github.zklock.LockName;
import io.github.zklock.support.NamePattern;
import java.util.List;
import java.util.stream.Stream;

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

    /** Returns all groups. */
    List<String> all() {
        return Stream.concat(patterns.stream().map(NamePattern::value), Stream.of(OTHER))
                .distinct()
                .toList();
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
