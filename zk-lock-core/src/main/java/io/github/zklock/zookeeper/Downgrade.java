package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The change of a writer's seat into a reader's at the same place in the queue, so that the readers behind it come in and
 * no writer does.
 *
 * <pre>
 * SENT     -&gt; OVER       replaced, or refused: then it stays a writer's
 * SENT     -&gt; DOUBTFUL   the answer was lost
 * DOUBTFUL -&gt; SENT       looked for and found to be a writer's still
 * DOUBTFUL -&gt; OVER       looked for and found to be a reader's, or gone
 * any      -&gt; OVER       the seat was left
 * </pre>
 *
 * Owned by the loop.
 */
final class Downgrade {

    /*
     * One transaction deletes the writer's node and creates the reader's with the same number: at no instant are both
     * gone, or is there a reader's without a writer's having been there (a writer's node that an operator has deleted is
     * a loss, and must not come back as a reader's). The id stays, so that whatever became of it can be found.
     */

    /** The seat. */
    interface Host {
        void downgraded(SeatName reader);

        /** It stays what it was. */
        void notDowngraded();

        /** Its node is gone. */
        void vanished(String reason);
    }

    private enum State {
        SENT,
        DOUBTFUL,
        OVER
    }

    private static final Logger LOG = EngineLog.of(Downgrade.class);

    private final Host host;
    private final PinnedSession tenure;
    private final String folder;
    private final SeatName writer;
    private final SeatName reader;
    private final Label label;
    private final Guard guard;
    private State state = State.SENT;

    Downgrade(Host host, PinnedSession tenure, String folder, SeatName writer, Label label, Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.folder = folder;
        this.writer = writer;
        this.reader = writer.asReader();
        this.label = label;
        this.guard = guard;
    }

    void begin() {
        state = State.SENT;
        tenure.replace(
                folder + "/" + writer.node(),
                folder + "/" + reader.node(),
                label.on(Demand.READ),
                guard.of(this::answered));
    }

    /** The connection is back. */
    void connectionRestored() {
        if (state == State.DOUBTFUL) {
            lookup();
        }
    }

    /** The seat is left, whatever name its node bears. */
    void abandon() {
        state = State.OVER;
    }

    private void answered(Outcome outcome, @Nullable Void none) {
        if (state == State.OVER) {
            return;
        }
        switch (outcome) {
            case OK -> done();
            case NO_NODE -> gone();
            case CONNECTION_LOST -> state = State.DOUBTFUL;
            case UNKNOWN -> {
                state = State.DOUBTFUL;
                lookup();
            }
            case SESSION_ENDED -> {
                // the keeper tells all seats of the session
            }
            default -> refused(outcome);
        }
    }

    private void lookup() {
        tenure.listCommitted(folder, guard.of(this::looked));
    }

    private void looked(Outcome outcome, @Nullable List<String> children) {
        if (state != State.DOUBTFUL) {
            return;
        }
        if (outcome == Outcome.UNKNOWN) {
            lookup();
        } else if (outcome == Outcome.OK && children != null) {
            if (children.contains(reader.node())) {
                done();
            } else if (children.contains(writer.node())) {
                begin();
            } else {
                gone();
            }
        } else if (outcome == Outcome.NO_NODE) {
            gone();
        } else if (!outcome.isUnknown()) {
            refused(outcome);
        }
    }

    private void done() {
        state = State.OVER;
        host.downgraded(reader);
    }

    private void gone() {
        state = State.OVER;
        host.vanished("its node was deleted");
    }

    private void refused(Outcome outcome) {
        state = State.OVER;
        LOG.warn(
                "Node {} in {} cannot become a reader's ({}): other readers wait until it is given back",
                writer.node(),
                folder,
                outcome);
        host.notDowngraded();
    }
}
