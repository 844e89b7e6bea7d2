package io.github.zklock.zookeeper;

import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Seats, stints and claims of one lock without an engine around them, on {@link MemoryWire}. */
final class LoneSeats implements Seat.Host, Stint.Host {

    static final HandOff BOUNDED = HandOff.bounded(32, Duration.ofMillis(50));

    private static final LockName NAME = LockName.of("/lone");
    private static final String FOLDER = "/locks/lone";
    private static final Label LABEL = new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH);

    private final Loop loop = MemoryWire.loop();
    private final MemoryWire wire = new MemoryWire(loop);
    private final ManualTime time = new ManualTime(loop);
    private final PinnedSession tenure = new PinnedSession(new EngineRun(loop), wire, time, (source, outcome) -> {});
    private final Departures departures = new Departures(time, new Backoff(1, 1));
    private int ids;

    Claim claim(Demand demand) {
        return new Claim(NAME, demand, Patience.forever(), null, 1, new Claim.Answer() {
            @Override
            public void granted(Turn turn) {}

            @Override
            public void refused(Refusal refusal) {}

            @Override
            public boolean hasArrived() {
                return true;
            }

            @Override
            public String asker() {
                return "waiter";
            }
        });
    }

    /** One that nobody has used yet. */
    Seat seat(Demand demand) {
        return new Seat(this, tenure, departures, FOLDER, nextId(), demand, LABEL);
    }

    /** One at the head that somebody has used and given back. */
    Stint used(Demand demand, HandOff handOff) {
        Seat seat = seat(demand);
        Stint stint = new Stint(seat, FOLDER, handOff, time, this);
        Turn turn = new Turn(claim(demand), new FencingToken(1), seat, LockPolicy.defaults(), time);
        stint.begin(turn);
        stint.end(turn);
        return stint;
    }

    /** A node that stands in the queue from now on. */
    WireSession.Node node(Demand demand) {
        AtomicReference<WireSession.Node> created = new AtomicReference<>();
        String stem = SeatName.stem(nextId(), demand);
        wire.create(FOLDER + "/" + stem, new byte[0], (outcome, node) -> created.set(node));
        return created.get();
    }

    void delete(WireSession.Node node) {
        wire.delete(node.path(), (outcome, none) -> {});
    }

    /** A seat whose node is this one. */
    Seat seatOn(WireSession.Node node) {
        Seat seat = seat(SeatName.ofPath(node.path()).demand());
        seat.created(SeatName.ofPath(node.path()), node.czxid());
        return seat;
    }

    /** The placement of a seat whose node is this one. */
    Placement placementOf(WireSession.Node node, Placement.Host host) {
        Guard guard = new Guard(error -> {
            throw new AssertionError(error);
        });
        Placement placement = new Placement(host, tenure, departures, FOLDER, LABEL, guard);
        placement.of(SeatName.ofPath(node.path()));
        return placement;
    }

    /** Has nobody know whether a watch on the folder was set. */
    void leaveListingsUnanswered() {
        wire.leaveListingsUnanswered();
    }

    int folderWatches() {
        return wire.folderWatches(FOLDER);
    }

    void advance(Duration passed) {
        time.advance(passed.toNanos());
    }

    /** What happens to this node from now on, up to the first event. */
    List<WireSession.Event> watch(WireSession.Node node) {
        List<WireSession.Event> events = new ArrayList<>();
        wire.readWatching(node.path(), events::add, (outcome, found) -> {});
        return events;
    }

    private String nextId() {
        ids++;
        return new UUID(0, ids).toString();
    }

    @Override
    public void reachedHead(Seat seat) {}

    @Override
    public Inheritance inheritance() {
        return new Inheritance(List.of());
    }

    @Override
    public void inLine(Seat seat) {}

    @Override
    public void becameReader(Seat seat) {}

    @Override
    public void gone(Seat seat, String reason) {}

    @Override
    public void refused(Seat seat, Refusal refusal) {}

    @Override
    public void othersWait(Stint stint) {}

    @Override
    public void lingeredLong(Stint stint) {}

    @Override
    public Collection<Seat> seats() {
        return List.of();
    }
}
