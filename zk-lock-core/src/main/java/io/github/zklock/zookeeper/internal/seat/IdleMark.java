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
 * The mark in a seat's node that shows other processes whether the seat is idle: its process keeps it by lingering, and
 * no thread there holds the lock. Owned by the loop. (L30)
 *
 * <p>Not guaranteed: that a marked seat is idle. Its process uses the seat again without a request to the servers.
 */
final class IdleMark {

    private static final Logger LOG = EngineLog.of(IdleMark.class);

    private final PinnedSession session;
    private final String path;
    private final byte[] idleData;
    private final byte[] usedData;
    /** The value that the mark is to have. */
    private boolean idle;
    /** The value of the latest write. */
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

    /** Writes or removes the mark, unless the latest write did the same. */
    void mark(boolean isIdle) {
        idle = isIdle;
        write();
    }

    private void write() {
        // one write at a time: if two leave in transactions with other requests, the second may be executed first
        if (!writing && writtenIdle != idle) {
            writing = true;
            writtenIdle = idle;
            byte[] data = idle ? idleData : usedData;
            latest = session.<Void>ask(reply -> session.write(path, data, reply), (outcome, none) -> written(outcome));
        }
    }

    /** Stops: the node is deleted or replaced. */
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
