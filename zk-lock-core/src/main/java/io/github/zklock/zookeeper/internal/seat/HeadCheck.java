package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the nodes of seats exist that came to the head of their queue although no listing or event has shown
 * their nodes. One query is under way at a time. Seats that come to the head meanwhile share the next query, unless they
 * have left by then. Owned by the loop.
 */
final class HeadCheck {

    private final QueueWatch.Owner owner;
    private final PinnedSession session;
    private final String folder;
    /** The seats of the next query. */
    private final Set<SeatName> unconfirmed = new LinkedHashSet<>(1);

    private boolean underWay;
    private boolean ended;

    HeadCheck(QueueWatch.Owner owner, PinnedSession session, String folder) {
        this.owner = owner;
        this.session = session;
        this.folder = folder;
    }

    /** Queries whether the node of this seat exists. If it does not, the seat is reported as deleted. */
    void confirm(SeatName seat) {
        unconfirmed.add(seat);
        confirmNext();
    }

    private void confirmNext() {
        if (underWay) {
            return;
        }
        unconfirmed.removeIf(seat -> !owner.isOwn(seat));
        if (unconfirmed.isEmpty()) {
            return;
        }
        List<SeatName> asked = List.copyOf(unconfirmed);
        unconfirmed.clear();
        underWay = true;
        session.sync(folder, (outcome, none) -> {});
        if (asked.size() == 1) {
            session.read(
                    asked.get(0).pathIn(folder),
                    (outcome, node) -> answered(asked, List.of(outcome != Outcome.NO_NODE)));
        } else {
            session.exist(
                    asked.stream().map(seat -> seat.pathIn(folder)).toList(),
                    (outcome, exist) -> answered(asked, exist));
        }
    }

    /** @param exist null if there is no answer */
    private void answered(List<SeatName> asked, @Nullable List<Boolean> exist) {
        underWay = false;
        if (ended) {
            return;
        }
        for (int i = 0; exist != null && i < exist.size(); i++) {
            if (!exist.get(i)) {
                owner.deleted(asked.get(i));
            }
        }
        confirmNext();
    }

    void end() {
        ended = true;
    }
}
