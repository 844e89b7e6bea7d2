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
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a seat makes of answers that arrive when it has left or is replaced. The test answers for the servers. */
class SeatEndTest {

    private static final String QUEUE = "/locks/stats";
    private static final String ID = new UUID(1, 1).toString();
    private static final String STEM = SeatName.stem(ID, Demand.WRITE);
    private static final String CREATE = "CreateSeat " + QUEUE + "/" + STEM;
    private static final String NODE = STEM + "0000000007";
    private static final String READER = SeatName.stem(ID, Demand.READ) + "0000000007";
    private static final String DELETE = "Delete " + QUEUE + "/" + NODE;
    private static final String REPLACE = "CreateEphemeral " + QUEUE + "/" + READER + ", " + DELETE;

    private final ManualTime time = new ManualTime(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final Deletions deletions = new Deletions(time);
    private final Label label = new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH);
    private final List<String> told = new ArrayList<>();
    private final Seat seat = new Seat(new Teller(), session, deletions, QUEUE, ID, Demand.WRITE, label, false);

    @BeforeEach
    void request() {
        deletions.continueOn(session);
        seat.begin(64, false);
        told.clear();
    }

    // during its creation

    @Test
    void nodeThatIsCreatedForASeatThatHasLeftIsDeleted() {
        seat.leave();
        servers.sent();

        servers.created(CREATE, QUEUE + "/" + NODE);

        assertThat(servers.sent()).containsExactly(DELETE);
        assertThat(told).isEmpty();
    }

    @Test
    void nothingIsDeletedIfTheCreateOfASeatThatHasLeftWasRejected() {
        seat.leave();

        servers.answer(CREATE, Outcome.ACCESS_DENIED, null);

        assertThat(deletions.isEmpty()).isTrue();
        assertThat(session.budget().seats()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void seatThatLeavesWhileItsNodeIsSearchedForDoesNotFindIt() {
        servers.answer(CREATE, Outcome.CONNECTION_LOST, null);

        seat.leave();
        lookup(List.of(NODE));

        assertThat(servers.sent()).doesNotContain("read " + QUEUE + "/" + NODE);
        assertThat(seat.hasLeft()).isTrue();
    }

    @Test
    void missingFolderIsMadeAndTheNodeRequestedAgain() {
        servers.sent();

        servers.answer(CREATE, Outcome.NO_NODE, null);

        assertThat(servers.sent()).containsExactly("makeFolder " + QUEUE, CREATE);
    }

    @Test
    void seatWhoseFolderMayNotBeMadeIsRefused() {
        servers.answer(CREATE, Outcome.NO_NODE, null);

        servers.answer("makeFolder", Outcome.ACCESS_DENIED, null);

        assertThat(told).singleElement().asString().startsWith("refused").contains("forbids this client to create it");
    }

    @Test
    void seatOnALocalSessionIsRefusedWithTheRemedy() {
        servers.answer(CREATE, Outcome.LOCAL_SESSION, null);

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("refused")
                .contains("localSessionsUpgradingEnabled=true on all servers");
    }

    @Test
    void folderThatMayNotBeMadeDoesNotMatterToASeatThatExists() {
        servers.answer(CREATE, Outcome.NO_NODE, null);
        servers.created(CREATE, QUEUE + "/" + NODE);
        told.clear();

        servers.answer("makeFolder", Outcome.ACCESS_DENIED, null);

        assertThat(told).isEmpty();
        assertThat(seat.isWaiting()).isTrue();
    }

    @Test
    void seatThatExistsIsNotRequestedAgain() {
        exist();

        seat.createIfAbsent();

        assertThat(servers.sent()).isEmpty();
    }

    // its end

    @Test
    void seatThatHasLeftDoesNotBecomeTheHead() {
        exist();
        seat.leave();

        seat.becomeHead();

        assertThat(seat.isHead()).isFalse();
        assertThat(seat.hasLeft()).isTrue();
    }

    @Test
    void endIsReportedOnce() {
        exist();

        seat.vanished();
        seat.vanished();
        seat.sessionEnded("the session ended");
        seat.refuse(Refusal.closed());

        assertThat(told).containsExactly("gone: its node was deleted");
        assertThat(session.budget().seats()).isZero();
    }

    @Test
    void seatThatHasLeftReportsNoEnd() {
        exist();

        seat.leave();
        seat.leave();
        seat.vanished();
        seat.sessionEnded("the session ended");

        assertThat(told).isEmpty();
        assertThat(servers.sent()).containsExactly(DELETE);
    }

    @Test
    void markOfASeatThatHasLeftIsNotWritten() {
        head();
        seat.markIdle(true);
        seat.markIdle(false);
        servers.sent();

        seat.leave();
        servers.answer("Write ", Outcome.OK, null);

        assertThat(servers.sent()).containsExactly(DELETE);
    }

    // its downgrade

    @Test
    void writerBecomesAReaderInOneTransaction() {
        head();

        seat.downgrade();
        seat.downgrade();
        assertThat(servers.sent()).containsExactly(REPLACE);
        servers.answer(REPLACE, Outcome.OK, null);

        assertThat(told).containsExactly("became a reader");
        assertThat(seat.demand()).isEqualTo(Demand.READ);
        assertThat(seat.path()).isEqualTo(QUEUE + "/" + READER);
    }

    @Test
    void downgradeOfAnUnknownOutcomeIsRepeatedIfTheWriterIsStillThere() {
        downgrade();
        servers.answer(REPLACE, Outcome.CONNECTION_LOST, null);

        lookup(List.of(NODE));

        assertThat(servers.sent()).contains(REPLACE);
        assertThat(told).isEmpty();
    }

    @Test
    void downgradeOfAnUnknownOutcomeIsDoneIfTheReaderIsThere() {
        downgrade();
        servers.answer(REPLACE, Outcome.CONNECTION_LOST, null);

        lookup(List.of(READER));

        assertThat(told).containsExactly("became a reader");
    }

    /** The first attempt was executed after the listing, which did not show the reader yet. */
    @Test
    void downgradeWhoseFirstAttemptIsExecutedLateIsDone() {
        downgrade();
        servers.answer(REPLACE, Outcome.CONNECTION_LOST, null);
        lookup(List.of(NODE));

        servers.answer(REPLACE, Outcome.NODE_EXISTS, null);
        lookup(List.of(READER));

        assertThat(told).containsExactly("became a reader");
        assertThat(seat.session().mayCreateLate()).isTrue();
    }

    @Test
    void lockIsLostIfNeitherTheWriterNorTheReaderIsThere() {
        downgrade();
        servers.answer(REPLACE, Outcome.CONNECTION_LOST, null);

        lookup(List.of());

        assertThat(told).containsExactly("gone: its node was deleted");
    }

    @Test
    void lockIsLostIfTheWriterWasDeletedBefore() {
        downgrade();

        servers.answer(REPLACE, Outcome.NO_NODE, null);

        assertThat(told).containsExactly("gone: its node was deleted");
    }

    @Test
    void downgradeThatIsRejectedIsNotAttemptedAgain() {
        downgrade();
        servers.answer(REPLACE, Outcome.ACCESS_DENIED, null);

        seat.downgrade();

        assertThat(servers.sent()).isEmpty();
        assertThat(seat.path()).isEqualTo(QUEUE + "/" + NODE);
        assertThat(told).isEmpty();
    }

    @Test
    void seatThatLeavesDuringItsDowngradeIsDeletedByEitherName() {
        downgrade();

        seat.leave();
        servers.answer(REPLACE, Outcome.OK, null);
        lookup(List.of(READER));

        assertThat(servers.sent()).contains("Delete " + QUEUE + "/" + READER);
        assertThat(told).isEmpty();
    }

    @Test
    void downgradeThatWasGivenUpIsNotRepeated() {
        downgrade();
        servers.answer(REPLACE, Outcome.CONNECTION_LOST, null);

        seat.leave();
        lookup(List.of(NODE));
        lookup(List.of(NODE));

        assertThat(servers.sent()).doesNotContain(REPLACE).contains(DELETE);
        assertThat(told).isEmpty();
    }

    @Test
    void markIsNotWrittenToANodeThatIsBeingReplaced() {
        downgrade();

        seat.markIdle(true);

        assertThat(servers.sent()).isEmpty();
    }

    private void exist() {
        servers.created(CREATE, QUEUE + "/" + NODE);
        servers.sent();
        told.clear();
    }

    private void head() {
        exist();
        seat.becomeHead();
    }

    private void downgrade() {
        head();
        seat.downgrade();
        servers.sent();
    }

    /** Answers a listing behind a commit. */
    private void lookup(List<String> children) {
        servers.answer("Check " + QUEUE, Outcome.OK, null);
        servers.answer("list " + QUEUE, Outcome.OK, children);
    }

    private final class Teller implements Seat.Owner {

        @Override
        public void createSent(Seat sent) {}

        @Override
        public void inDoubt(Seat doubted) {}

        @Override
        public void absent() {
            told.add("absent");
        }

        @Override
        public void created(Seat created) {
            told.add("created");
        }

        @Override
        public void refused(Seat refused, Refusal refusal) {
            told.add("refused: " + refusal.message());
        }

        @Override
        public void gone(Seat gone, String reason) {
            told.add("gone: " + reason);
        }

        @Override
        public void becameReader(Seat reader, SeatName writer) {
            told.add("became a reader");
        }
    }
}
