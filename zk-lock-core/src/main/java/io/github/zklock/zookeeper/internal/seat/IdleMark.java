package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
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

    private final PinnedSession session;
    private final String path;
    private final byte[] idleData;
    private final byte[] usedData;
    /** What the mark is to say. */
    private boolean idle;
    /** What the latest write says. */
    private boolean writtenIdle;

    private boolean writing;
    private @Nullable Question<Void> latest;

    IdleMark(PinnedSession session, String path, Label label, Demand demand) {
        this.session = session;
        this.path = path;
        this.idleData = label.idleOn(demand);
        this.usedData = label.on(demand);
    }

    boolean isIdle() {
        return idle;
    }

    /** Has the mark written or removed, unless the latest write did the same. */
    void mark(boolean isIdle) {
        idle = isIdle;
        write();
    }

    private void write() {
        // one at a time: of two that leave in transactions with others, the second may be carried out first
        if (!writing && writtenIdle != idle) {
            writing = true;
            writtenIdle = idle;
            byte[] data = idle ? idleData : usedData;
            latest = session.<Void>ask(reply -> session.write(path, data, reply), (outcome, none) -> written(outcome));
        }
    }

    /** The node is deleted or replaced. */
    void end() {
        if (latest != null) {
            latest.drop();
        }
    }

    private void written(Outcome outcome) {
        writing = false;
        if (outcome != Outcome.OK && outcome != Outcome.NO_NODE) {
            LOG.warn(
                    "Node {} cannot be written ({}): other processes cannot see whether its lock is free while it lingers;"
                            + " grant this client the right to write its own nodes",
                    path,
                    outcome);
        }
        write();
    }
}
