package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockInspector.Owner;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the first seat of a queue at one moment, for the messages of callers whose wait has ended without the
 * lock. Owned by the loop.
 *
 * <p>Not guaranteed: that the owner is known, for example because an access list forbids this client to read the seat.
 */
final class FirstSeat {

    private final long askedAt;
    private @Nullable Owner owner;

    private FirstSeat(long askedAt) {
        this.askedAt = askedAt;
    }

    /**
     * Asks for the owner. The answer comes later. The queue is listed first: the view of a process that waits far behind does
     * not follow the head.
     */
    static FirstSeat ask(PinnedSession session, String folder, long now) {
        FirstSeat first = new FirstSeat(now);
        session.list(
                folder,
                (outcome, children) -> QueueView.of(children == null ? List.of() : children)
                        .first()
                        .ifPresent(seat -> session.read(folder + "/" + seat.node(), (known, node) -> {
                            if (node != null) {
                                first.owner = OwnerDescription.read(node.data()).orElse(null);
                            }
                        })));
        return first;
    }

    /** Returns whether the question was asked at this instant or later. */
    boolean isSince(long instant) {
        return askedAt - instant >= 0;
    }

    /** Returns a part of a sentence; empty if the owner is not known. */
    String description() {
        Owner known = owner;
        return known == null
                ? ""
                : ", the first one was instance '" + known.instance() + "', thread '" + known.thread() + "'"
                        + (known.since() == null ? "" : ", since " + known.since());
    }
}
