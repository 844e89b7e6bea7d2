package io.github.zklock.zookeeper.internal.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** L25: nodes that no seat knows of. */
@SuppressWarnings("NullAway") // what is created is there
class OrphanSweepTest {

    private static final String FOLDER = "/locks/swept";
    private static final int TICKS = 8;

    private final Loop loop = IdealWire.loop();
    private final IdealWire wire = new IdealWire(loop);
    private final ManualTime time = new ManualTime(loop);
    private final PinnedSession session =
            new PinnedSession(new EngineRun(loop), wire, wire.ungrouped(), time, (source, outcome) -> {});
    private final Deletions deletions = new Deletions(time);
    private final AtomicLong numbers = new AtomicLong();
    private final SeatIds ids = new SeatIds(new UUID(77, 0), numbers::incrementAndGet);
    private final OrphanSweep sweep = new OrphanSweep("/locks", ids::areOurs, deletions, false);

    /** The servers of an engine that follows another one, for which the test answers. */
    private final RecordedSession servers = new RecordedSession();

    private final PinnedSession next = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final OrphanSweep successor = new OrphanSweep("/locks", ids::areOurs, deletions, true);
    private int done;

    @Test
    void nodeThatNoSeatKnowsOfIsDeletedWhenItWasSeenTwice() {
        deletions.continueOn(session);
        createNode(ids.next());

        // the sweep looks after sessions that have seats
        seat();
        sweepOnce();
        assertThat(wire.size()).isEqualTo(2);
        sweepOnce();

        assertThat(wire.size()).isEqualTo(1);
    }

    @Test
    void aSessionWhoseSeatsComeAndGoBetweenTwoTicksIsLookedAfter() {
        deletions.continueOn(session);
        createNode(ids.next());

        comeAndGo();
        sweepOnce();
        comeAndGo();
        sweepOnce();

        assertThat(wire.isEmpty()).isTrue();
    }

    /** A server that was cut off may execute it at any later time. */
    @Test
    void aSessionWithALostCreateIsLookedAfterUntilItEnds() {
        OrphanSweep looking = new OrphanSweep("/locks", ids::areOurs, deletions, false);
        deletions.continueOn(next);
        String stem = FOLDER + "/" + SeatName.stem(ids.next().toString(), Demand.EXCLUSIVE);
        next.create(RecordedSession.createSeat(stem), (outcome, node) -> {});
        servers.answer("CreateSeat", Outcome.CONNECTION_LOST, null);
        for (int i = 0; i < 100; i++) {
            sweepOnce(looking, List.of());
        }

        sweepOnce(looking, List.of(stem + "0000000007"));
        sweepOnce(looking, List.of(stem + "0000000007"));

        assertThat(servers.sent()).contains("Delete " + stem + "0000000007");
    }

    /** The previous engine may have ended before it noticed that a create was lost. */
    @Test
    void aSessionOfAPreviousEngineIsLookedAfterUntilItEnds() {
        succeed();
        found(List.of());
        String late = FOLDER + "/" + SeatName.stem(ids.next().toString(), Demand.EXCLUSIVE) + "0000000007";
        for (int i = 0; i < 100; i++) {
            sweepOnce(successor, List.of());
        }

        sweepOnce(successor, List.of(late));
        sweepOnce(successor, List.of(late));

        assertThat(servers.sent()).contains("Delete " + late);
        assertThat(successor.mayFindLater(next)).isTrue();
    }

    @Test
    void serversThatDoNotSupportTheSearchEndIt() {
        succeed();
        found(List.of());
        done = 0;

        for (int i = 0; i < TICKS; i++) {
            successor.tick(next);
        }
        servers.answer("ephemerals", Outcome.REFUSED, null);

        assertThat(successor.mayFindLater(next)).isFalse();
        assertThat(done).isEqualTo(1);
    }

    @Test
    void aSweepWithoutAnAnswerIsRepeated() {
        succeed();
        found(List.of());

        for (int i = 0; i < TICKS; i++) {
            successor.tick(next);
        }
        servers.answer("ephemerals", Outcome.CONNECTION_LOST, null);

        assertThat(successor.mayFindLater(next)).isTrue();
    }

    @Test
    void aSessionWithoutSeatsIsNotLookedAfter() {
        comeAndGo();
        sweepOnce();
        sweepOnce();
        sweepOnce();
        createNode(ids.next());

        sweepOnce();
        sweepOnce();

        assertThat(wire.size()).isEqualTo(1);
    }

    @Test
    void nodesOfSeatsStay() {
        deletions.continueOn(session);
        seat();

        sweepOnce();
        sweepOnce();
        sweepOnce();

        assertThat(wire.size()).isEqualTo(1);
    }

    /** An observer behind an observer master may execute a create again that the client has sent again. */
    @Test
    void secondNodeOfASeatIsDeleted() {
        deletions.continueOn(session);
        UUID id = seat();
        createNode(id);

        sweepOnce();
        assertThat(wire.size()).isEqualTo(2);
        sweepOnce();

        assertThat(wire.size()).isEqualTo(1);
        sweepOnce();
        sweepOnce();
        assertThat(wire.size()).isEqualTo(1);
    }

    @Test
    void nodesOfOtherUsersOfTheSameClientStay() {
        deletions.continueOn(session);
        seat();
        createNode(UUID.fromString("11111111-2222-4333-8444-555555555555"));

        sweepOnce();
        sweepOnce();
        sweepOnce();

        assertThat(wire.size()).isEqualTo(2);
    }

    @Test
    void lingeringSeatsAreKnownByTheSameIds() {
        assertThat(ids.areOurs(SeatName.lingering(ids.next().toString()))).isTrue();
        assertThat(new SeatIds(new UUID(78, 0), numbers::incrementAndGet)
                        .areOurs(ids.next().toString()))
                .isFalse();
    }

    // after an engine that failed

    @Test
    void nodesOfThePreviousEngineAreDeletedAtOnceAndOnce() {
        String path = FOLDER + "/" + SeatName.stem(ids.next().toString(), Demand.EXCLUSIVE) + "0000000007";
        succeed();

        found(List.of(path));

        assertThat(servers.sent()).contains("Delete " + path);
        assertThat(successor.isDue()).isFalse();
        assertThat(done).isEqualTo(1);
        successor.connected(next);
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void searchForNodesOfThePreviousEngineIsRepeatedWithoutAnAnswer() {
        succeed();
        servers.sent();

        servers.answer("Check", Outcome.OK, null);
        servers.answer("ephemerals", Outcome.UNKNOWN, null);
        time.advance(next.timeoutNanos());

        assertThat(servers.sent()).contains("ephemerals /locks");
        assertThat(successor.isDue()).isTrue();
    }

    @Test
    void answerOfASessionThatHasEndedDoesNotCount() {
        succeed();
        next.end();

        found(List.of());

        assertThat(successor.isDue()).isTrue();
        assertThat(done).isZero();
    }

    @Test
    void serversThatCannotFindNodesOfThePreviousEngineEndTheSearch() {
        succeed();

        servers.answer("Check", Outcome.OK, null);
        servers.answer("ephemerals", Outcome.REFUSED, null);

        assertThat(successor.isDue()).isFalse();
        assertThat(done).isEqualTo(1);
    }

    private void succeed() {
        deletions.continueOn(next);
        successor.whenDone(() -> done++);
        successor.connected(next);
    }

    /** Answers the search, behind a commit. */
    private void found(List<String> paths) {
        servers.answer("Check", Outcome.OK, null);
        servers.answer("ephemerals", Outcome.OK, paths);
    }

    private void sweepOnce() {
        for (int i = 0; i < TICKS; i++) {
            sweep.tick(session);
        }
    }

    /** The test answers what is found. */
    private void sweepOnce(OrphanSweep looking, List<String> found) {
        for (int i = 0; i < TICKS; i++) {
            looking.tick(next);
        }
        servers.answer("ephemerals", Outcome.OK, found);
    }

    private void createNode(UUID id) {
        String stem = FOLDER + "/" + SeatName.stem(id.toString(), Demand.EXCLUSIVE);
        wire.transact(List.of(RecordedSession.createSeat(stem)), (outcome, done) -> {});
    }

    private void comeAndGo() {
        String stem = FOLDER + "/" + SeatName.stem(ids.next().toString(), Demand.EXCLUSIVE);
        session.create(
                RecordedSession.createSeat(stem),
                (outcome, node) -> session.delete(new Change.Delete(node.path()), (gone, none) -> {}));
    }

    /** Creates a seat with its node. Returns its id. */
    private UUID seat() {
        UUID id = ids.next();
        Label label = new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH);
        new Seat(new NoOwner(), session, deletions, FOLDER, id.toString(), Demand.EXCLUSIVE, label, false)
                .begin(64, false);
        return id;
    }

    private static final class NoOwner implements Seat.Owner {
        @Override
        public void createSent(Seat seat) {}

        @Override
        public void inDoubt(Seat doubted) {}

        @Override
        public void absent() {}

        @Override
        public void created(Seat seat) {}

        @Override
        public void refused(Seat seat, Refusal refusal) {}

        @Override
        public void gone(Seat seat, String reason) {}

        @Override
        public void becameReader(Seat seat, SeatName writer) {}
    }
}
