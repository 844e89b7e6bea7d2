package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The replacement of a write seat by a read seat at the same place in the queue. The readers behind it can then acquire
 * the lock, but no writer can. Owned by the loop.
 */
final class Downgrade {

    /*
     * One transaction creates the read node with the number of the write node, and deletes the write node. Watches of
     * the folder report both in this order, so at each instant a client sees at least one of them. If another client
     * has deleted the write node, the lock is lost and the transaction fails. The id stays the same, so that the node
     * can be found by either name.
     */

    private static final Logger LOG = EngineLog.of(Downgrade.class);

    private final Seat owner;
    private final PinnedSession session;
    private final String folder;
    private final SeatName writer;
    private final SeatName reader;
    private final Label label;
    private boolean over;
    private @Nullable Question<List<String>> lookup;

    Downgrade(Seat owner, PinnedSession session, String folder, SeatName writer, Label label) {
        this.owner = owner;
        this.session = session;
        this.folder = folder;
        this.writer = writer;
        this.reader = writer.asReader();
        this.label = label;
    }

    void begin() {
        session.replace(
                writer.pathIn(folder),
                reader.pathIn(folder),
                label.on(Demand.READ),
                (outcome, none) -> answered(outcome));
    }

    /** Ends the downgrade because the seat is left; its node has either name. */
    void abandon() {
        over = true;
        if (lookup != null) {
            lookup.drop();
        }
    }

    private void answered(Outcome outcome) {
        if (over) {
            return;
        }
        switch (outcome) {
            case OK -> done();
            case NO_NODE -> gone();
            // only an earlier attempt, which was executed late, has created a node of this name
            case CONNECTION_LOST, UNKNOWN, NODE_EXISTS ->
                lookup = session.<List<String>>ask(
                        reply -> session.listCommitted(folder, reply), (answer, children) -> found(answer, children));
            case SESSION_ENDED -> {
                // the session notifies all its seats of its end
            }
            default -> refused(outcome);
        }
    }

    private void found(Outcome outcome, @Nullable List<String> children) {
        if (outcome == Outcome.OK && children != null) {
            if (children.contains(reader.node())) {
                done();
            } else if (children.contains(writer.node())) {
                begin();
            } else {
                gone();
            }
        } else if (outcome == Outcome.NO_NODE) {
            gone();
        } else {
            refused(outcome);
        }
    }

    private void done() {
        over = true;
        owner.downgraded(reader);
    }

    private void gone() {
        over = true;
        owner.vanished();
    }

    private void refused(Outcome outcome) {
        over = true;
        LOG.warn(
                "Node {} in {} cannot be replaced by a read node ({}): other readers wait until the lock is released",
                writer.node(),
                folder,
                outcome);
        owner.notDowngraded();
    }
}
