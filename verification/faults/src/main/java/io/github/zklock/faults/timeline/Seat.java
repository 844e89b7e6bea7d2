package io.github.zklock.faults.timeline;

import java.util.Optional;
import java.util.OptionalLong;

/** One seat, as the servers' transaction logs describe it. {@link Seats} fills it in. */
public final class Seat {

    private final Event made;
    private final String session;
    private Optional<Event> ended = Optional.empty();
    private OptionalLong servedAt = OptionalLong.empty();
    private OptionalLong openAt = OptionalLong.empty();

    Seat(Event made) {
        this.made = made;
        this.session = made.text("session");
    }

    public String session() {
        return session;
    }

    /** Returns its path at its creation. */
    public String node() {
        return made.text("node");
    }

    String folder() {
        return node().substring(0, node().lastIndexOf('/'));
    }

    /** Returns when its turn came. */
    public OptionalLong servedAt() {
        return servedAt;
    }

    /**
     * Returns when no seat of another session blocked it any more: a process may pass the lock on among its own seats.
     */
    public OptionalLong openAt() {
        return openAt;
    }

    public OptionalLong endedAt() {
        return ended.stream().mapToLong(Event::at).findFirst();
    }

    /** Returns how it ended; meaningless before its end. */
    public SeatEnd how() {
        return ended.map(end -> SeatEnd.valueOf(end.text("how"))).orElse(SeatEnd.RELEASED);
    }

    /** Returns when the seat was taken from its owner; empty if its owner deleted it or still has it. */
    public OptionalLong takenAt() {
        return how() == SeatEnd.RELEASED ? OptionalLong.empty() : endedAt();
    }

    /** Returns whether a grant of this can stand on the seat. */
    public boolean serves(LockSpec spec) {
        return SeatLabel.parse(node()).filter(label -> label.serves(spec)).isPresent();
    }

    /** Returns whether the seat stands behind the other one in the queue of their lock. */
    public boolean isBehind(Seat other) {
        Optional<SeatLabel> before = SeatLabel.parse(other.node());
        return SeatLabel.parse(node())
                .filter(own -> before.isPresent() && SeatLabel.IN_ORDER.compare(own, before.get()) > 0)
                .isPresent();
    }

    void served(long at) {
        if (servedAt.isEmpty()) {
            servedAt = OptionalLong.of(at);
        }
        open(at);
    }

    void open(long at) {
        if (openAt.isEmpty()) {
            openAt = OptionalLong.of(at);
        }
    }

    void ended(Event end) {
        ended = Optional.of(end);
    }
}
