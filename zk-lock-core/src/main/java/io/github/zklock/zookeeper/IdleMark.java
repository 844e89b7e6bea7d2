package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The mark in a seat's node that tells other processes whether the seat is idle: kept by a process that lingers, while no
 * thread there holds the lock. Owned by the loop. (L30)
 *
 * <p>Not guaranteed: that a marked seat is idle. Its process uses the seat again without a request to the servers.
 */
final class IdleMark {

    private static final Logger LOG = EngineLog.of(IdleMark.class);

    private final PinnedSession tenure;
    private final String path;
    private final byte[] idleData;
    private final byte[] usedData;
    private boolean idle;
    /** Whether the latest write is known to be committed, or cannot be. */
    private boolean settled = true;

    private boolean over;

    IdleMark(PinnedSession tenure, String path, Label label, Demand demand) {
        this.tenure = tenure;
        this.path = path;
        this.idleData = label.idleOn(demand);
        this.usedData = label.on(demand);
    }

    /** Writes the mark or removes it, unless the latest write did the same. */
    void mark(boolean isIdle) {
        if (idle != isIdle) {
            idle = isIdle;
            send();
        }
    }

    /** The connection is back. */
    void connectionRestored() {
        if (!settled && !over) {
            send();
        }
    }

    /** The node is deleted or replaced. */
    void end() {
        over = true;
    }

    private void send() {
        settled = false;
        boolean sent = idle;
        try {
            tenure.write(path, sent ? idleData : usedData, (outcome, none) -> answered(sent, outcome));
        } catch (RuntimeException error) {
            // a failed mark must not end the turn or the linger that it belongs to (L19)
            settled = true;
            warn(error.toString(), error);
        }
    }

    private void answered(boolean sent, Outcome outcome) {
        if (over || sent != idle) {
            // a later write is under way, and its answer counts
            return;
        }
        switch (outcome) {
            case OK, NO_NODE -> settled = true;
            case UNKNOWN -> send();
            case CONNECTION_LOST, SESSION_ENDED -> {
                // sent again when a connection is back
            }
            default -> {
                settled = true;
                warn(outcome.toString(), null);
            }
        }
    }

    private void warn(String why, @Nullable Throwable error) {
        LOG.warn(
                "Node {} cannot be written ({}): other processes cannot see whether its lock is free while it lingers;"
                        + " grant this client the right to write its own nodes",
                path,
                why,
                error);
    }
}
