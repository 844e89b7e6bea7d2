package io.github.zklock.autoconfigure;

import io.github.zklock.LockName;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.AntPathMatcher;

/**
 * Which names {@code zk.lock.locks[n].name} means: {@code ?} is one character, {@code *} is any number of them within a
 * segment, {@code **} is any number of segments, also none.
 */
final class LockPatterns {

    private static final AntPathMatcher MATCHER = new AntPathMatcher();
    private static final String REMEDY = "use a name or a pattern such as /orders/42, /orders/* or /orders/**";

    private LockPatterns() {}

    static boolean matches(String canonicalPattern, LockName name) {
        return MATCHER.match(canonicalPattern, name.value());
    }

    static void check(List<LockRule> rules) {
        for (int i = 0; i < rules.size(); i++) {
            String property = property(i);
            String pattern = canonical(property, rules.get(i).getName());
            for (int earlier = 0; earlier < i; earlier++) {
                String before = canonical(property(earlier), rules.get(earlier).getName());
                if (before.equals(pattern) || (!isPattern(pattern) && MATCHER.match(before, pattern))) {
                    throw new InvalidZkLockPropertyException(
                            property,
                            "'" + pattern + "' is never reached: " + property(earlier) + " '" + before
                                    + "' matches it first",
                            "put the more specific pattern first");
                }
            }
        }
    }

    /** With a leading and without a trailing slash, as the names that it is compared with. */
    static String canonical(String property, @Nullable String pattern) {
        if (pattern == null || pattern.isBlank()) {
            throw new InvalidZkLockPropertyException(property, "is not set", REMEDY);
        }
        String canonical;
        try {
            canonical = LockName.of(pattern).value();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidZkLockPropertyException(property, "matches no lock (" + wrong.getMessage() + ")", REMEDY);
        }
        if (canonical.indexOf('{') >= 0 || canonical.indexOf('}') >= 0) {
            throw new InvalidZkLockPropertyException(
                    property, "'" + pattern + "' has braces, which are not supported", "use * for any segment");
        }
        for (String segment : LockName.of(canonical).segments()) {
            if (segment.contains("**") && !segment.equals("**")) {
                throw new InvalidZkLockPropertyException(
                        property,
                        "'" + pattern + "' has ** inside a segment",
                        "put it between slashes, or use a single *");
            }
        }
        return canonical;
    }

    static String property(int index) {
        return "zk.lock.locks[" + index + "].name";
    }

    private static boolean isPattern(String canonical) {
        return MATCHER.isPattern(canonical);
    }
}
