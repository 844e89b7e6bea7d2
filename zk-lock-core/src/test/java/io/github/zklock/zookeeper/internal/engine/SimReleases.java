package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** L4, L21: a release is reported, and not before the node is gone or serves others of the process. */
final class SimReleases {

    private final SimWorld world;
    private final Collection<SimHold> holds;
    /** Those whose release was reported in this step although their node is there. */
    private final List<SimHold> kept = new ArrayList<>(1);

    /** @param holds all that there ever were */
    SimReleases(SimWorld world, Collection<SimHold> holds) {
        this.world = world;
        this.holds = holds;
    }

    void seen(SimHold hold) {
        hold.releaseSeen = true;
        if (!hold.over) {
            world.violated("L21", "the release of " + hold + " was reported before its end", null);
        }
        if (isThere(hold)) {
            kept.add(hold);
        }
    }

    void afterStep() {
        if (!kept.isEmpty()) {
            kept.forEach(this::checkKept);
            kept.clear();
        }
    }

    /** In the end every release is known to be seen, or, if its engine was shut down before, not to be seen by anybody. */
    void checkAllSeen() {
        for (SimHold hold : holds) {
            boolean told = hold.releaseSeen
                    || (hold.releaseUnseen && hold.process().isEngineClosed())
                    // of which EngineKeeper tells those who ask for it
                    || hold.turn().seat().session().isForsaken();
            if (hold.over && !told) {
                world.violated("L21", "the release of " + hold + " was never reported", null);
            }
        }
    }

    private void checkKept(SimHold ended) {
        boolean used = holds.stream()
                .anyMatch(hold -> hold != ended && hold.path.equals(ended.path) && hold.wasThereSince(world.now()));
        // passed on to a claim that an Error then kept from it: the next engine deletes the node
        boolean forsaken = ended.turn().seat().session().isForsaken();
        if (isThere(ended) && !used && !forsaken) {
            world.violated("L4", "the release of " + ended + " was reported while its node is there for nobody", null);
        }
    }

    private boolean isThere(SimHold hold) {
        return world.ensemble().truth().entry(hold.path) != null;
    }
}
