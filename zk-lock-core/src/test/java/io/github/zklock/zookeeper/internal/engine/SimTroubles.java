package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The trouble that waits for the next requests of one process. */
final class SimTroubles {

    /** @param kind the request that it waits for; null for any */
    record Ambush(@Nullable Kind kind, SimTrouble trouble, int times, Runnable sprung) {}

    private final List<Ambush> ambushes = new ArrayList<>(1);

    void lay(Ambush ambush) {
        ambushes.add(ambush);
    }

    void clear() {
        ambushes.clear();
    }

    SimTrouble next(SimRequest request, boolean connected) {
        if (ambushes.isEmpty() || !connected) {
            return SimTrouble.NONE;
        }
        for (int i = 0; i < ambushes.size(); i++) {
            Ambush ambush = ambushes.get(i);
            if (ambush.kind() == null || ambush.kind() == request.kind) {
                if (ambush.times() > 1) {
                    ambushes.set(i, new Ambush(null, ambush.trouble(), ambush.times() - 1, ambush.sprung()));
                } else {
                    ambushes.remove(i);
                }
                ambush.sprung().run();
                return ambush.trouble();
            }
        }
        return SimTrouble.NONE;
    }
}
