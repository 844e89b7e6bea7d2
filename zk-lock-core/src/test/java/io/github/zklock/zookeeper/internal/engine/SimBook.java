package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The holders of one lock, and the order of its grants. */
final class SimBook {

    private final SimWorld world;
    private final List<SimHold> live = new ArrayList<>(2);
    private final SimHistory history = new SimHistory();
    private final Set<Long> tokensOfPermits = new HashSet<>(2);
    private long highestToken;
    private int lastProcess = -1;

    SimBook(SimWorld world) {
        this.world = world;
    }

    List<SimHold> live() {
        return live;
    }

    SimHistory history() {
        return history;
    }

    /** Whether the grant went to another process than the one before; true for the first. */
    boolean isHandedOverTo(SimProcess process) {
        return lastProcess != process.id();
    }

    /** Whether somebody has a turn on this seat. */
    boolean isInUse(String path) {
        return live.stream().anyMatch(hold -> hold.path.equals(path));
    }

    /** K2: tokens of holders that are alone rise strictly, and two permits have different tokens. */
    void add(SimHold hold) {
        if (hold.demand().isAlone()) {
            if (hold.token() <= highestToken && !hold.excused) {
                world.violated("K2", hold + " follows token " + highestToken, null);
            }
            if (!hold.excused) {
                highestToken = Math.max(highestToken, hold.token());
            }
        }
        if (hold.demand().kind() == LockKind.PERMITS && !tokensOfPermits.add(hold.token())) {
            world.violated("K2", hold + " has the token of another permit", null);
        }
        lastProcess = hold.process().id();
        live.add(hold);
        history.granted(hold);
    }

    void end(SimHold hold) {
        hold.excused |= world.checks().isExcused(hold);
        if (hold.claimsToBeValid()) {
            hold.lastValidAt = world.now();
        }
        if (!hold.over) {
            hold.over = true;
            hold.overAt = world.now();
        }
        live.remove(hold);
    }

    /** K1: at no instant may so many claim to be valid. */
    void checkOverlap() {
        if (live.size() < 2) {
            return;
        }
        SimModel model = new SimModel();
        for (SimHold hold : live) {
            boolean excused = world.checks().isExcused(hold);
            hold.excused |= excused;
            if (hold.claimsToBeValid()) {
                hold.lastValidAt = world.now();
                if (!excused && !model.take(hold)) {
                    world.violated("K1", hold + " is valid beside " + model.held(), null);
                }
            }
        }
    }
}
