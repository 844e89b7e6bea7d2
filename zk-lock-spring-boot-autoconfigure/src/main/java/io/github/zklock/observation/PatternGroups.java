package io.github.zklock.observation;

import io.github.zklock.LockName;
import java.util.List;
import org.springframework.util.AntPathMatcher;

/** A group for each entry of {@code zk.lock.locks}, called after its pattern; the first one that matches counts. */
final class PatternGroups implements LockGroups {

    private static final AntPathMatcher MATCHER = new AntPathMatcher();

    private final List<String> patterns;

    PatternGroups(List<String> patterns) {
        this.patterns =
                patterns.stream().map(pattern -> LockName.of(pattern).value()).toList();
    }

    @Override
    public String of(LockName name) {
        for (String pattern : patterns) {
            if (MATCHER.match(pattern, name.value())) {
                return pattern;
            }
        }
        return OTHER;
    }
}
