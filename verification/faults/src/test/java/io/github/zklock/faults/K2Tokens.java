package io.github.zklock.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens rise strictly in order of grant, and no two grants have the same; those of readers and of permits are for
 * tracing only. A grant in which its holder never believed, as it was paused before it could look, has no place in the
 * order.
 */
final class K2Tokens implements Checker {

    @Override
    public List<String> violations(Timeline timeline) {
        List<String> found = new ArrayList<>();
        Map<Long, Hold> byToken = new HashMap<>();
        @Nullable Hold before = null;
        for (Hold hold : timeline.holds()) {
            if (!hold.wish().isAlone()) {
                continue;
            }
            Hold twin = byToken.putIfAbsent(hold.token(), hold);
            if (twin != null) {
                found.add("K2: %s and %s have the same token".formatted(twin, hold));
            }
            if (hold.beliefs().isEmpty()) {
                continue;
            }
            if (before != null && hold.token() < before.token()) {
                found.add("K2: %s was granted after %s with a lower token".formatted(hold, before));
            }
            before = hold;
        }
        return found;
    }
}
