package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The facts by which a queue belongs to another kind of lock than the requested one.
 *
 * @param wish what this process requests, as the beginning of a sentence
 * @param stranger the seat of the other kind; null if it cannot be read
 */
public record Mismatch(String wish, @Nullable SeatName stranger) {

    private static final String REMEDY = "give the two locks different names";

    /** Returns the mismatch that prevents this demand, if there is one. */
    public static Optional<Mismatch> of(QueueView view, Demand demand, String instance) {
        if (demand.kind() == LockKind.PERMITS && view.isForeignSemaphore()) {
            return Optional.of(new Mismatch(wish(instance, demand), null));
        }
        return view.strangerTo(demand).map(stranger -> new Mismatch(wish(instance, demand), stranger));
    }

    private static String wish(String instance, Demand demand) {
        return instance + " requests it " + demand;
    }

    /** Returns the refusal of a mismatch within one process, for which no queue has to be read. */
    static Refusal within(String instance, Demand wanted, Demand used) {
        return Refusal.of(Reason.MISMATCH, wish(instance, wanted) + ", and uses it " + used + " itself; " + REMEDY);
    }

    /** Returns the message without the owner of the other seat. */
    public String inShort() {
        return stranger == null ? foreign() : against(stranger, "");
    }

    /** Reads the owner of the other seat, and passes the complete message on. */
    void explain(PinnedSession session, String folder, Consumer<String> explained) {
        SeatName other = stranger;
        if (other == null) {
            explained.accept(foreign());
            return;
        }
        session.<Node>ask(reply -> session.read(other.pathIn(folder), reply), (outcome, node) -> {
            String owner = node == null
                    ? "unknown"
                    : OwnerDescription.read(node.data()).map(Object::toString).orElse("unknown");
            explained.accept(against(other, " (owner " + owner + ")"));
        });
    }

    private String foreign() {
        return wish + ", but a Curator semaphore uses this path; " + REMEDY;
    }

    private String against(SeatName other, String owner) {
        return wish + ", but " + other.node() + owner + " requests it " + other.demand() + "; " + REMEDY;
    }
}
