package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.seat.Deletions;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** The requests and seats of one lock, which a test moves itself, and which a plan sees. */
final class PlannedSeats {

    private static final LockName LOCK = LockName.of("/stats");
    private static final String FOLDER = "/locks/stats";

    final OwnSeats seats = new OwnSeats();
    final Occupancy occupancy = new Occupancy(seats, Demand.EXCLUSIVE);
    final Rounds rounds = new Rounds();
    final ManualTime time = new ManualTime(Runnable::run);

    private final HandOff handOff;
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final Deletions deletions = new Deletions(time);
    private SeatPlan plan = new StrictPlan(occupancy.waiting(), seats.ready());
    private int created;

    PlannedSeats(HandOff handOff) {
        this.handOff = handOff;
        deletions.continueOn(session);
    }

    /** Tells the plan from now on what happens. */
    <P extends SeatPlan> P tell(P told) {
        plan = told;
        return told;
    }

    /** A request that waits. */
    Claim claim(Demand demand) {
        Claim claim = new Claim(LOCK, demand, Patience.forever(), null, 0, new NoAnswer());
        occupancy.enter(claim);
        plan.entered(claim);
        return claim;
    }

    /** The request does not wait any more. */
    void leave(Claim claim) {
        occupancy.leave(claim);
        plan.left(claim);
    }

    /** A seat in the queue, behind others. */
    SeatUse seat(Claim seeker) {
        String id = new UUID(1, ++created).toString();
        Demand demand = seeker.demand();
        Label label = new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH);
        Seat seat = new Seat(new NoOwner(), session, deletions, FOLDER, id, demand, label, true);
        seat.begin(64, false);
        servers.created("CreateSeat", FOLDER + "/" + SeatName.stem(id, demand) + "%010d".formatted(created));
        SeatUse use = new SeatUse(seat, seeker, created, handOff, rounds, time);
        seats.add(use);
        seats.created(use, Objects.requireNonNull(seat.name()));
        seats.place(Objects.requireNonNull(seat.name()));
        plan.added(use);
        return use;
    }

    /** A seat that no other one blocks. */
    SeatUse head(Claim seeker) {
        SeatUse use = seat(seeker);
        becomeHead(use);
        return use;
    }

    void becomeHead(SeatUse use) {
        use.seat().becomeHead();
        seats.reachedHead(use, Objects.requireNonNull(use.seat().name()));
        plan.reachedHead(use);
    }

    /** Grants the request on the seat. */
    Turn grant(Claim claim, SeatUse use) {
        leave(claim);
        Turn turn = new Turn(claim, use.nextToken(), use.seat(), LockPolicy.defaults(), time);
        seats.begin(use, turn);
        occupancy.began(turn);
        plan.began(use);
        return turn;
    }

    void end(SeatUse use, Turn turn) {
        seats.end(use, turn);
        occupancy.ended(turn);
        plan.ended(use);
    }

    /** The seat is left. */
    void remove(SeatUse use) {
        seats.remove(use);
        plan.removed(use);
    }

    /** A seat whose request has been granted. */
    SeatUse inUse(Demand demand) {
        Claim claim = claim(demand);
        SeatUse use = head(claim);
        grant(claim, use);
        return use;
    }

    /** A seat that has served a turn and serves none. */
    SeatUse used(Demand demand) {
        Claim claim = claim(demand);
        SeatUse use = head(claim);
        end(use, grant(claim, use));
        return use;
    }

    private static final class NoAnswer implements Claim.Answer {

        @Override
        public void granted(Turn turn) {}

        @Override
        public void refused(Refusal refusal) {}

        @Override
        public boolean hasArrived() {
            return false;
        }

        @Override
        public String asker() {
            return "asker";
        }
    }

    private static final class NoOwner implements Seat.Owner {

        @Override
        public void createSent(Seat sent) {}

        @Override
        public void inDoubt(Seat doubted) {}

        @Override
        public void absent() {}

        @Override
        public void created(Seat created) {}

        @Override
        public void refused(Seat refused, Refusal refusal) {}

        @Override
        public void gone(Seat gone, String reason) {}

        @Override
        public void becameReader(Seat reader, SeatName writer) {}
    }
}
