package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the next one who waits for a semaphore's permits that the one in front of it has got its own: by writing the
 * node that the next one watches, as often as it takes until that is known to have happened. Owned by the loop. (L20)
 */
final class WakeUp {

    private static final Logger LOG = EngineLog.of(WakeUp.class);

    private final PinnedSession tenure;
    private final String path;
    private final byte[] data;
    private final Guard guard;
    private boolean over;

    WakeUp(PinnedSession tenure, String path, byte[] data, Guard guard) {
        this.tenure = tenure;
        this.path = path;
        this.data = data;
        this.guard = guard;
    }

    void send() {
        tenure.write(path, data, guard.of(this::answered));
    }

    /** The connection is back. */
    void connectionRestored() {
        if (!over) {
            send();
        }
    }

    /** The seat is left, and its node goes: that wakes the next one as well. */
    void end() {
        over = true;
    }

    private void answered(Outcome outcome, @Nullable Void none) {
        if (over) {
            return;
        }
        switch (outcome) {
            case OK, NO_NODE -> over = true;
            case UNKNOWN -> send();
            case CONNECTION_LOST, SESSION_ENDED -> {
                // sent again when a connection is back
            }
            default -> {
                over = true;
                LOG.warn(
                        "Node {} cannot be written ({}): those behind it wait until its permits are given back; grant this"
                                + " client the right to write its own nodes",
                        path,
                        outcome);
            }
        }
    }
}
