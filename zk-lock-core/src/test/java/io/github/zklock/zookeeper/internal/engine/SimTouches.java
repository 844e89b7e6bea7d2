package io.github.zklock.zookeeper.internal.engine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that a follower heard of since the leader's last ping, with the timeouts of their connections: {@code
 * LearnerSessionTracker.touchTable}.
 */
final class SimTouches {

    /*
     * LearnerSessionTracker.touchSession reads the reference of the table and puts into it; snapshot() swaps the reference.
     * A put between the two goes into the table that is on its way to the leader already, and is lost. The model loses the
     * latest touch of a session, if it is the only one since the last swap, and at most once in a session timeout, which is
     * the bound that docs/internals/session-proof.md states. (M29)
     */

    private final Map<Long, Integer> counts = new HashMap<>();
    private final Map<Long, Long> lostAt = new HashMap<>();
    private Map<Long, Long> timeouts = new LinkedHashMap<>();
    private @Nullable Long latest;

    void put(long session, long timeout) {
        timeouts.put(session, timeout);
        counts.merge(session, 1, Integer::sum);
        latest = session;
    }

    void clear() {
        timeouts.clear();
        counts.clear();
        latest = null;
    }

    /** Returns what the leader is told, and empties the table. */
    Map<Long, Long> swap(SimEnsemble ensemble) {
        if (timeouts.isEmpty()) {
            return Map.of();
        }
        Map<Long, Long> touched = timeouts;
        Long last = latest;
        if (last != null && counts.get(last) == 1 && ensemble.losesTouch(lostAt.get(last))) {
            touched.remove(last);
            lostAt.put(last, ensemble.now());
        }
        timeouts = new LinkedHashMap<>();
        counts.clear();
        latest = null;
        return touched;
    }
}
