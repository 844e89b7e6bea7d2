package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a try reads and watches of the seats that may linger in front of it. The test answers for the servers. */
class IdleSeatsTest {

    private static final String FOLDER = QueueOfTest.FOLDER;
    private static final String FIRST = QueueOfTest.permits(1);
    private static final String SECOND = QueueOfTest.permits(2);
    private static final Label LABEL = new Label(new OwnerDescription("other", "host", 2), "holder", Instant.EPOCH);

    private final ManualTime time = new ManualTime(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final List<String> told = new ArrayList<>();
    /** All permits, two of which are in seats that may linger. */
    private final IdleSeats idle = new IdleSeats(
            new Teller(), session, time, FOLDER, QueueView.of(List.of(FIRST, SECOND)), Demand.permits(2, 2));

    @Test
    void lockIsFreeWhenAllSeatsAreMarkedIdle() {
        idle.read();
        assertThat(servers.sent()).containsExactlyInAnyOrder("read " + path(FIRST), "read " + path(SECOND));

        answer(FIRST, true);
        assertThat(told).isEmpty();
        answer(SECOND, true);

        assertThat(told).containsExactly("free");
    }

    @Test
    void deletedSeatBlocksNothing() {
        idle.read();
        answer(FIRST, true);

        servers.answer("read " + path(SECOND), Outcome.NO_NODE, null);

        assertThat(told).containsExactly("free");
    }

    @Test
    void seatWithoutAMarkIsInUseAndLaterAnswersDoNotCount() {
        idle.read();

        answer(FIRST, false);
        assertThat(told).containsExactly("in use");
        answer(SECOND, false);

        assertThat(told).containsExactly("in use");
    }

    @Test
    void seatThatMayNotBeReadIsInUse() {
        idle.read();

        servers.answer("read " + path(FIRST), Outcome.ACCESS_DENIED, null);

        assertThat(told).containsExactly("in use");
    }

    @Test
    void seatIsReadAgainIfThereWasNoAnswerInTime() {
        idle.read();
        servers.sent();

        servers.answer("read " + path(FIRST), Outcome.UNKNOWN, null);
        time.advance(session.timeoutNanos());

        assertThat(servers.sent()).containsExactly("read " + path(FIRST));
    }

    @Test
    void seatThatIsWatchedIsWatchedAgainIfThereWasNoAnswerInTime() {
        watched();

        servers.answer("readWatching " + path(FIRST), Outcome.UNKNOWN, null);
        time.advance(IdleSeats.PATIENCE.toNanos() - 1);

        assertThat(servers.sent()).containsExactly("readWatching " + path(FIRST));
    }

    @Test
    void seatIsWatchedAgainAfterEachChangeAndInUseWhenItsMarkIsGone() {
        watched();
        answerWatched(FIRST, true);
        servers.fire(path(FIRST), Event.DATA_CHANGED);
        assertThat(servers.sent()).containsExactly("readWatching " + path(FIRST));
        answerWatched(FIRST, true);
        servers.fire(path(FIRST), Event.DATA_CHANGED);
        assertThat(told).containsExactly("free");

        answerWatched(FIRST, false);

        assertThat(told).containsExactly("free", "in use");
    }

    @Test
    void seatThatIsDeletedIsNotWatchedAgain() {
        watched();
        answerWatched(FIRST, true);

        servers.fire(path(FIRST), Event.NODE_DELETED);

        assertThat(servers.sent()).isEmpty();
        assertThat(told).containsExactly("free");
    }

    @Test
    void seatsAreWatchedOnceTheyAreFree() {
        idle.read();
        idle.watch();
        assertThat(servers.watched()).isEmpty();
        answer(FIRST, true);
        answer(SECOND, true);

        idle.watch();
        idle.watch();

        assertThat(servers.watched()).containsExactlyInAnyOrder(path(FIRST), path(SECOND));
        assertThat(servers.sent().stream().filter(sent -> sent.startsWith("readWatching")))
                .hasSize(2);
    }

    @Test
    void timeIsLimitedAndTheWatchesEndWithIt() {
        watched();

        time.advance(IdleSeats.PATIENCE.toNanos() - 1);
        assertThat(told).containsExactly("free");
        time.advance(1);

        assertThat(told).containsExactly("free", "time is over");
        assertThat(servers.watched()).isEmpty();
    }

    @Test
    void nothingIsReportedAfterTheEnd() {
        watched();

        idle.end();

        assertThat(servers.watched()).isEmpty();
        time.advance(IdleSeats.PATIENCE.toNanos());
        answerWatched(FIRST, false);
        assertThat(told).containsExactly("free");
    }

    /** Has both seats watched, without an answer. */
    private void watched() {
        idle.read();
        answer(FIRST, true);
        answer(SECOND, true);
        idle.watch();
        servers.sent();
    }

    private void answer(String seat, boolean isIdle) {
        servers.answer("read " + path(seat), Outcome.OK, node(seat, isIdle));
    }

    private void answerWatched(String seat, boolean isIdle) {
        servers.answer("readWatching " + path(seat), Outcome.OK, node(seat, isIdle));
    }

    private static Node node(String seat, boolean isIdle) {
        Demand demand = Demand.permits(1, 2);
        return new Node(path(seat), 5, 2, isIdle ? LABEL.idleOn(demand) : LABEL.on(demand), 0);
    }

    private static String path(String seat) {
        return FOLDER + "/" + seat;
    }

    private final class Teller implements IdleSeats.Owner {

        @Override
        public void free() {
            told.add("free");
        }

        @Override
        public void inUse() {
            told.add("in use");
        }

        @Override
        public void timeIsOver() {
            told.add("time is over");
        }
    }
}
