package io.github.zklock.zookeeper.internal.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent until a node is known to be gone. The test answers for the servers. */
class DeletionsTest {

    private static final String QUEUE = "/locks/stats";
    private static final long REFUSED_PAUSE = Duration.ofSeconds(10).toNanos();

    private final ManualTime time = new ManualTime(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = pinned(servers);
    private final RecordedSession serversOfNext = new RecordedSession();
    private final PinnedSession next = pinned(serversOfNext);
    private final Deletions deletions = new Deletions(time);
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void continueOnTheFirstSession() {
        deletions.continueOn(session);
    }

    // on its own session

    @Test
    void nodeIsDeletedAtOnceAndGoneWithTheAnswer() {
        Deletion deletion = named(seat(1));

        deletions.begin(deletion);
        assertThat(servers.sent()).containsExactly(delete(seat(1)));
        assertThat(told()).isEmpty();
        assertThat(deletions.isEmpty()).isFalse();
        assertThat(deletions.ids()).containsExactly(seat(1).id());

        servers.answer(delete(seat(1)), Outcome.OK, null);
        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isTrue();
        assertThat(deletions.ids()).isEmpty();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void nodeThatDoesNotExistIsGone() {
        deletions.begin(named(seat(1)));

        servers.answer(delete(seat(1)), Outcome.NO_NODE, null);

        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isTrue();
    }

    @Test
    void deletionWithoutAnAnswerInTimeIsAskedAgainAfterAPause() {
        deletions.begin(named(seat(1)));
        servers.sent();

        servers.answer(delete(seat(1)), Outcome.UNKNOWN, null);
        assertThat(servers.sent()).isEmpty();
        time.advance(session.timeoutNanos());

        assertThat(servers.sent()).containsExactly(delete(seat(1)));
        assertThat(told()).isEmpty();
        servers.answer(delete(seat(1)), Outcome.NO_NODE, null);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void deletionOnALostConnectionIsAskedAgainOnTheNextOne() {
        deletions.begin(named(seat(1)));
        servers.sent();

        servers.answer(delete(seat(1)), Outcome.CONNECTION_LOST, null);
        time.advance(2 * session.timeoutNanos());
        assertThat(servers.sent()).isEmpty();
        assertThat(told()).isEmpty();

        session.askAgain();
        assertThat(servers.sent()).containsExactly(delete(seat(1)));
        servers.answer(delete(seat(1)), Outcome.NO_NODE, null);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void deletionThatIsRefusedIsReportedAndTriedAgainAfterAPause() {
        deletions.begin(named(seat(1)));
        servers.sent();

        try (CapturedLog log = new CapturedLog(Deletions.class)) {
            servers.answer(delete(seat(1)), Outcome.ACCESS_DENIED, null);

            log.await("WARN Node " + seat(1).node() + " in " + QUEUE + " cannot be deleted (ACCESS_DENIED)");
        }
        time.advance(REFUSED_PAUSE - 1);
        assertThat(servers.sent()).isEmpty();
        time.advance(1);
        assertThat(servers.sent()).containsExactly(delete(seat(1)));
        assertThat(told()).isEmpty();
        servers.answer(delete(seat(1)), Outcome.OK, null);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void deletionThatWasRefusedIsNotTriedAgainOnASessionThatHasEnded() {
        try (CapturedLog log = new CapturedLog(Deletions.class)) {
            deletions.begin(named(seat(1)));
            servers.answer(delete(seat(1)), Outcome.REFUSED, null);
            log.await("WARN");
        }
        servers.sent();
        endFirstSession();
        deletions.continueOn(next);

        time.advance(REFUSED_PAUSE);

        assertThat(servers.sent()).isEmpty();
        assertThat(serversOfNext.sent()).containsExactly(delete(seat(1)));
    }

    @Test
    void seatCountsAgainstTheBudgetUntilItIsGone() {
        Deletion deletion = named(seat(1));
        int taken = session.bytesOf(QUEUE, Demand.EXCLUSIVE);
        deletion.occupy(taken);

        deletions.begin(deletion);
        servers.answer(delete(seat(1)), Outcome.CONNECTION_LOST, null);
        assertThat(session.budget().bytes()).isEqualTo((long) taken).isPositive();

        session.askAgain();
        servers.answer(delete(seat(1)), Outcome.OK, null);
        assertThat(session.budget().bytes()).isZero();
        assertThat(session.budget().seats()).isZero();
    }

    @Test
    void nodeThatIsGoneGivesItsBytesBackOnce() {
        Deletion deletion = named(seat(1));
        deletion.occupy(session.bytesOf(QUEUE, Demand.EXCLUSIVE));

        deletion.finish();
        deletion.finish();

        assertThat(session.budget().seats()).isZero();
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void observerOfADeletionThatHasEndedIsToldAtOnce() {
        Deletion deletion = named(seat(1));
        deletions.begin(deletion);
        servers.answer(delete(seat(1)), Outcome.OK, null);
        told();

        deletion.observe(observer());

        assertThat(told()).containsExactly("gone");
    }

    @Test
    void eachObserverIsToldAlsoIfOneThrows() {
        Deletion deletion = new Deletion(QUEUE, seat(1).id(), session, false);
        deletion.setName(seat(1));
        deletion.observe(new Deletion.Observer() {
            @Override
            public void gone() {
                throw new IllegalStateException("planted");
            }

            @Override
            public void unseen() {}
        });
        deletion.observe(observer());

        deletions.begin(deletion);
        servers.answer(delete(seat(1)), Outcome.OK, null);

        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isTrue();
    }

    // on a later session

    @Test
    void deletionIsAttemptedOnTheNextSession() {
        deletions.begin(named(seat(1)));
        servers.answer(delete(seat(1)), Outcome.SESSION_ENDED, null);
        servers.sent();
        endFirstSession();
        assertThat(told()).isEmpty();
        assertThat(deletions.isEmpty()).isFalse();

        deletions.continueOn(next);

        assertThat(servers.sent()).isEmpty();
        assertThat(serversOfNext.sent()).containsExactly(delete(seat(1)));
        serversOfNext.answer(delete(seat(1)), Outcome.NO_NODE, null);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void nodeWhoseSessionHasEndedIsDeletedOnlyOnceThereIsAnother() {
        endFirstSession();

        deletions.begin(named(seat(1)));
        assertThat(servers.sent()).isEmpty();

        deletions.continueOn(next);
        assertThat(serversOfNext.sent()).containsExactly(delete(seat(1)));
    }

    @Test
    void deletionIsAttemptedOnceOnEachSession() {
        deletions.begin(named(seat(1)));
        servers.sent();

        deletions.continueOn(session);

        assertThat(servers.sent()).isEmpty();
    }

    // by an unknown name

    @Test
    void nodeOfUnknownNameIsLookedForBehindACommitAndDeletedWithItsSiblings() {
        SeatName first = seatOf(7, Demand.EXCLUSIVE, 3);
        SeatName sibling = seatOf(7, Demand.EXCLUSIVE, 8);

        deletions.begin(unnamed(first.id()));
        assertThat(servers.sent()).containsExactly("Check " + QUEUE, "list " + QUEUE);

        searched(Outcome.OK, sibling, seat(5), first);
        assertThat(servers.sent()).containsExactlyInAnyOrder(delete(first), delete(sibling));
        servers.answer(delete(first), Outcome.OK, null);
        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isFalse();
        servers.answer(delete(sibling), Outcome.OK, null);
        assertThat(deletions.isEmpty()).isTrue();
        assertThat(session.budget().bytes()).isZero();
        assertThat(session.budget().seats()).isZero();
    }

    @Test
    void siblingCountsAgainstTheBudgetUntilItIsGone() {
        SeatName first = seatOf(7, Demand.EXCLUSIVE, 3);
        SeatName sibling = seatOf(7, Demand.EXCLUSIVE, 8);
        deletions.begin(unnamed(first.id()));

        searched(Outcome.OK, first, sibling);

        assertThat(session.budget().seats()).isEqualTo(1);
        assertThat(session.budget().bytes()).isEqualTo(session.bytesOf(QUEUE, Demand.EXCLUSIVE));
    }

    @Test
    void nodeThatIsNotListedIsGone() {
        deletions.begin(unnamed(seat(1).id()));

        searched(Outcome.OK, seat(2));

        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isTrue();
    }

    @Test
    void nodeInAFolderThatDoesNotExistIsGone() {
        deletions.begin(unnamed(seat(1).id()));

        servers.answer("Check " + QUEUE, Outcome.NO_NODE, null);
        servers.answer("list " + QUEUE, Outcome.NO_NODE, null);

        assertThat(told()).containsExactly("gone");
    }

    @Test
    void listingWithoutACommitProvesNothing() {
        deletions.begin(unnamed(seat(1).id()));
        servers.sent();

        searched(Outcome.UNKNOWN);
        assertThat(told()).isEmpty();
        time.advance(session.timeoutNanos());

        assertThat(servers.sent()).containsExactly("Check " + QUEUE, "list " + QUEUE);
        searched(Outcome.OK);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void nodeThatHasMeanwhileAnotherNameIsLookedForAgain() {
        SeatName writer = seatOf(7, Demand.WRITE, 3);
        deletions.begin(unnamed(writer.id()));
        searched(Outcome.OK, writer);
        servers.sent();

        servers.answer(delete(writer), Outcome.NO_NODE, null);

        assertThat(told()).isEmpty();
        assertThat(servers.sent()).containsExactly("Check " + QUEUE, "list " + QUEUE);
        searched(Outcome.OK, writer.asReader());
        assertThat(servers.sent()).containsExactly(delete(writer.asReader()));
        servers.answer(delete(writer.asReader()), Outcome.OK, null);
        assertThat(told()).containsExactly("gone");
    }

    @Test
    void nodeWhoseNameIsNotKnownAnyMoreIsLookedFor() {
        Deletion deletion = named(seat(1));
        deletion.ofUnknownName();

        deletions.begin(deletion);

        assertThat(servers.sent()).containsExactly("Check " + QUEUE, "list " + QUEUE);
    }

    @Test
    void listingThatIsDeniedIsTriedAgainAfterAPause() {
        deletions.begin(unnamed(seat(1).id()));
        servers.sent();

        try (CapturedLog log = new CapturedLog(Deletions.class)) {
            servers.answer("Check " + QUEUE, Outcome.OK, null);
            servers.answer("list " + QUEUE, Outcome.ACCESS_DENIED, null);
            log.await("WARN Node " + seat(1).id() + " in " + QUEUE + " cannot be deleted (ACCESS_DENIED)");
        }
        assertThat(told()).isEmpty();

        time.advance(REFUSED_PAUSE);
        assertThat(servers.sent()).containsExactly("Check " + QUEUE, "list " + QUEUE);
    }

    // before the create is answered

    @Test
    void nothingIsSentBeforeTheCreateIsAnswered() {
        Deletion deletion = unnamed(seat(1).id());

        deletions.expect(deletion);
        assertThat(servers.sent()).isEmpty();
        assertThat(deletions.isEmpty()).isFalse();
        assertThat(deletions.ids()).containsExactly(seat(1).id());
        endFirstSession();
        deletions.continueOn(next);
        assertThat(serversOfNext.sent()).isEmpty();

        deletion.setName(seat(1));
        deletions.begin(deletion);
        assertThat(serversOfNext.sent()).containsExactly(delete(seat(1)));
    }

    @Test
    void nodeThatDidNotComeToExistIsGone() {
        Deletion deletion = unnamed(seat(1).id());
        deletions.expect(deletion);

        deletions.finish(deletion);

        assertThat(servers.sent()).isEmpty();
        assertThat(told()).containsExactly("gone");
        assertThat(deletions.isEmpty()).isTrue();
    }

    // the end

    @Test
    void observersOfAllDeletionsThatAreAbandonedAreToldSo() {
        deletions.begin(named(seat(1)));
        deletions.expect(unnamed(seat(2).id()));

        deletions.abandon();

        assertThat(told()).containsExactly("unseen", "unseen");
        assertThat(deletions.isEmpty()).isTrue();
        servers.sent();
        servers.answer(delete(seat(1)), Outcome.CONNECTION_LOST, null);
        session.askAgain();
        assertThat(told()).isEmpty();
    }

    @Test
    void nothingIsDeletedAfterTheEnd() {
        deletions.abandon();

        deletions.begin(named(seat(1)));
        deletions.expect(named(seat(2)));
        assertThat(told()).containsExactly("unseen", "unseen");
        Deletion late = unnamed(seat(3).id());
        deletions.begin(late);
        told();
        late.observe(observer());

        assertThat(told()).containsExactly("unseen");
        assertThat(servers.sent()).isEmpty();
        assertThat(deletions.isEmpty()).isTrue();
    }

    // whether any is left

    @Test
    void actionRunsAtOnceIfNothingIsToBeDeleted() {
        deletions.whenEmpty(() -> told.add("empty"));

        assertThat(told()).containsExactly("empty");
    }

    @Test
    void actionRunsWhenTheLastNodeIsGone() {
        Deletion second = unnamed(seat(2).id());
        deletions.begin(named(seat(1)));
        deletions.expect(second);
        deletions.whenEmpty(() -> told.add("empty"));
        assertThat(told()).isEmpty();

        servers.answer(delete(seat(1)), Outcome.OK, null);
        assertThat(told()).containsExactly("gone");
        deletions.finish(second);
        assertThat(told()).containsExactly("gone", "empty");
    }

    @Test
    void actionRunsEachTimeTheLastNodeIsGone() {
        deletions.whenEmpty(() -> told.add("empty"));
        told();

        for (int i = 1; i <= 2; i++) {
            deletions.begin(named(seat(i)));
            servers.answer(delete(seat(i)), Outcome.OK, null);
            assertThat(told()).containsExactly("gone", "empty");
        }
    }

    @Test
    void actionRunsOnceAtTheEnd() {
        deletions.begin(named(seat(1)));
        deletions.whenEmpty(() -> {
            told.add("empty");
            deletions.abandon();
        });

        deletions.abandon();

        assertThat(told()).containsExactly("unseen", "empty");
    }

    @Test
    void folderWhoseNumbersAreUsedUpIsDeletedAfterAPause() {
        try (CapturedLog log = new CapturedLog(Deletions.class)) {
            deletions.restartSequence(session, QUEUE, 50);
            log.await("WARN The sequence numbers of " + QUEUE + " are used up");
        }

        time.advance(49);
        assertThat(servers.sent()).isEmpty();
        time.advance(1);
        assertThat(servers.sent()).containsExactly("Delete " + QUEUE);
    }

    private PinnedSession pinned(RecordedSession wire) {
        return new PinnedSession(new EngineRun(Runnable::run), wire, wire.ungrouped(), time, (source, outcome) -> {});
    }

    private void endFirstSession() {
        session.end();
        deletions.sessionEnded();
    }

    /** @param commit how the check in front of the listing ended */
    private void searched(Outcome commit, SeatName... found) {
        servers.answer("Check " + QUEUE, commit, null);
        servers.answer(
                "list " + QUEUE,
                Outcome.OK,
                Stream.of(found).map(SeatName::node).toList());
    }

    private Deletion named(SeatName seat) {
        Deletion deletion = unnamed(seat.id());
        deletion.setName(seat);
        return deletion;
    }

    private Deletion unnamed(String id) {
        Deletion deletion = new Deletion(QUEUE, id, session, false);
        deletion.observe(observer());
        return deletion;
    }

    private Deletion.Observer observer() {
        return new Deletion.Observer() {
            @Override
            public void gone() {
                told.add("gone");
            }

            @Override
            public void unseen() {
                told.add("unseen");
            }
        };
    }

    /** What the observers were told since the last call. */
    private List<String> told() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }

    private static String delete(SeatName seat) {
        return "Delete " + seat.pathIn(QUEUE);
    }

    private static SeatName seat(long number) {
        return seatOf(number, Demand.EXCLUSIVE, number);
    }

    private static SeatName seatOf(long maker, Demand demand, long number) {
        return SeatName.parse("%s%010d".formatted(SeatName.stem(new UUID(1, maker).toString(), demand), number))
                .orElseThrow();
    }
}
