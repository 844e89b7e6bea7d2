package io.github.zklock.zookeeper.internal.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The place of a seat in the transaction that creates it, when answers are lost. The test answers for the servers. */
class SeatTest {

    private static final String QUEUE = "/locks/stats";
    private static final String ID = new UUID(1, 1).toString();
    private static final String OTHER_ID = new UUID(1, 2).toString();
    private static final String STEM = SeatName.stem(ID, Demand.EXCLUSIVE);
    private static final String CREATE = "CreateSeat " + QUEUE + "/" + STEM;
    private static final String OTHER = QUEUE + "/other-";
    private static final String NODE = STEM + "0000000007";

    private final ManualTime time = new ManualTime(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final Deletions deletions = new Deletions(time);
    private final Label label = new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH);
    private final Seat seat = new Seat(new NoOwner(), session, deletions, QUEUE, ID, Demand.EXCLUSIVE, label, true);

    @BeforeEach
    void continueOnTheSession() {
        deletions.continueOn(session);
    }

    @Test
    void placeIsKnownAlthoughTheAnswerToTheCreateIsLost() {
        behindOthers(2, () -> seat.begin(64, false));
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        lookup(List.of(NODE));
        servers.answer("read", Outcome.OK, new Node(QUEUE + "/" + NODE, 77, servers.id(), new byte[0], 0));

        assertThat(seat.isWaiting()).isTrue();
        assertThat(seat.czxid()).isEqualTo(77);
        assertThat(seat.place()).isEqualTo(2);
    }

    /** Others would be requested behind it meanwhile. */
    @Test
    void seatIsInDoubtAtOnceAndLookedUpAfterAPause() {
        seat.begin(64, false);
        servers.sent();

        servers.answer(CREATE, Outcome.UNKNOWN, null);

        assertThat(seat.isInDoubt()).isTrue();
        assertThat(servers.sent()).isEmpty();
        time.advance(session.timeoutNanos());
        assertThat(servers.sent()).contains("list " + QUEUE);
    }

    @Test
    void seatThatLeavesDuringThePauseIsSearchedForOnceByItsDeletion() {
        seat.begin(64, false);
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        servers.sent();

        seat.leave();
        time.advance(session.timeoutNanos());

        assertThat(servers.sent()).containsOnlyOnce("list " + QUEUE);
    }

    @Test
    void nodeOfARepeatedCreateIsKeptIfEachCreateHadTheSamePlace() {
        behindOthers(2, () -> seat.begin(64, false));
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        lookupBehindOthers(2);
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        lookup(List.of(NODE));
        servers.answer("read", Outcome.OK, new Node(QUEUE + "/" + NODE, 77, servers.id(), new byte[0], 0));

        assertThat(seat.isWaiting())
                .as("a node that is replaced loses its turn")
                .isTrue();
        assertThat(seat.place()).isEqualTo(2);
    }

    @Test
    void nodeOfARepeatedCreateWithoutAnAnswerIsReplacedAsItsPlaceIsNotKnown() {
        seat.begin(64, false);
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        lookupBehindOthers(1);
        servers.answer(CREATE, Outcome.UNKNOWN, null);
        servers.sent();

        lookup(List.of(NODE));

        assertThat(servers.sent())
                .as("both nodes together could exceed the budget of the session")
                .contains("Delete " + QUEUE + "/" + NODE)
                .doesNotContain(CREATE);
        servers.answer("Delete " + QUEUE + "/" + NODE, Outcome.OK, null);
        lookupBehindOthers(3);
        servers.created(CREATE, OTHER + 1, OTHER + 2, OTHER + 3, QUEUE + "/" + STEM + "0000000009");
        assertThat(seat.isWaiting()).isTrue();
        assertThat(seat.place()).isEqualTo(3);
    }

    @Test
    void seatThatIsAskedForAfterTheEndOfItsSessionIsGone() {
        session.end();

        seat.begin(64, false);
        servers.answer(CREATE, Outcome.SESSION_ENDED, null);

        assertThat(seat.hasLeft()).isTrue();
    }

    @Test
    void onlyASeatOfOneTurnWaitsForTheWritesOfItsLockBeforeItIsDeleted() {
        Seat ofManyTurns = new Seat(new NoOwner(), session, deletions, QUEUE, OTHER_ID, Demand.EXCLUSIVE, label, false);
        seat.begin(64, false);
        servers.created(CREATE, QUEUE + "/" + NODE);
        ofManyTurns.begin(64, false);
        String other = QUEUE + "/" + SeatName.stem(OTHER_ID, Demand.EXCLUSIVE);
        servers.created("CreateSeat " + other, other + "0000000008");
        createOther();
        servers.sent();

        seat.leave();
        assertThat(servers.sent()).isEmpty();
        ofManyTurns.leave();
        assertThat(servers.sent()).containsExactly("Delete " + QUEUE + "/" + NODE + ", Delete " + other + "0000000008");
    }

    private void lookup(List<String> children) {
        commitBeforeListing();
        servers.answer("list " + QUEUE, Outcome.OK, children);
    }

    /** The listing does not show the seat, so it is created again, in one transaction with others in front of it. */
    private void lookupBehindOthers(int others) {
        commitBeforeListing();
        behindOthers(others, () -> servers.answer("list " + QUEUE, Outcome.OK, List.of()));
    }

    private void commitBeforeListing() {
        // an answer that did not come in time pauses the session
        time.advance(session.timeoutNanos());
        servers.answer("Check " + QUEUE, Outcome.OK, null);
    }

    private void behindOthers(int others, Runnable creating) {
        // only seats in folders that are known to exist share a transaction
        createOther();
        servers.created("CreateSeat " + OTHER, OTHER + 0);
        session.together(() -> {
            for (int i = 0; i < others; i++) {
                createOther();
            }
            creating.run();
        });
    }

    private void createOther() {
        session.create(
                new Change.CreateSeat(OTHER, new byte[0], place -> {}, false, () -> true), (outcome, node) -> {});
    }

    private final class NoOwner implements Seat.Owner {

        @Override
        public void createSent(Seat sent) {}

        @Override
        public void inDoubt(Seat doubted) {}

        @Override
        public void absent() {
            seat.createIfAbsent();
        }

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
