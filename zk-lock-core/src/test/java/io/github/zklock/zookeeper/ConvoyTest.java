package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seats that a process leaves one after the other, each in favour of the next, on a wire that answers when it is told to. */
class ConvoyTest {

    private static final String FOLDER = "/locks/stats";

    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final MemoryWire wire = new MemoryWire(answers::add);
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession tenure =
            new PinnedSession(new EngineRun(Runnable::run), wire, time, (source, outcome) -> {});
    private final Departures departures = new Departures(time, new Backoff(1, 1));
    private final List<Place> places = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private int sentBeforeMissing = -1;

    @BeforeEach
    void fiveSeatsStandBehindEachOther() {
        for (int i = 0; i < 5; i++) {
            places.add(new Place(i));
        }
        answerAll();
        departures.resume(tenure);
    }

    @Test
    void firstOneGoesAtOnceAndThoseThatAreLeftMeanwhileGoTogether() {
        leave(0);
        leave(1);
        leave(2);
        assertThat(answers).hasSize(1);

        answerNext();
        assertThat(told).containsExactly("0 gone");
        assertThat(answers).hasSize(1);
        answerNext();

        assertThat(told).containsExactly("0 gone", "1 gone", "2 gone", "3 inherits");
        assertThat(answers).isEmpty();
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void firstOneThatIsLeftInFavourOfNobodyTakesTheOthersAlongAtOnce() {
        leave(0);
        leave(1);
        leaveInFavourOfNobody(2);
        assertThat(answers).hasSize(2);

        answerAll();

        assertThat(told).containsExactly("0 gone", "1 gone", "2 gone");
    }

    @Test
    void oneThatHasGoneKeepsNoneOfTheOthersAndPutsWhoeverComesNextInDoubt() {
        leave(0);
        leave(1);
        leave(2);
        places.get(1).delete();

        answerAll();

        assertThat(told).containsExactlyInAnyOrder("0 gone", "3 in doubt", "1 gone", "2 gone");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void whoeverComesNextAndIsNotThereIsToldSoAndKeepsNobody() {
        leave(0);
        leave(1);
        places.get(2).delete();

        answerAll();

        assertThat(told).containsExactlyInAnyOrder("0 gone", "2 missing", "1 gone");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void whoeverComesNextAndIsNotThereIsToldBeforeWhatIsLeftIsDeletedAsOthersAreGrantedTheLockByThat() {
        leave(0);
        places.get(1).delete();

        answerNext();
        answerNext();

        assertThat(told).containsExactly("1 missing");
        assertThat(sentBeforeMissing).isZero();
        assertThat(answers).hasSize(1);
    }

    @Test
    void whoeverComesNextIsLookedForAlsoIfTheLastOneOfTheOthersWasLeftInFavourOfNobody() {
        leave(0);
        leave(1);
        places.get(2).delete();
        leaveInFavourOfNobody(4);

        answerAll();

        assertThat(told).containsExactlyInAnyOrder("0 gone", "2 missing", "1 gone", "4 gone");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void serversThatRefuseTheTransactionGetEachDeletionByItself() {
        wire.refusePassingOn(Outcome.REFUSED, null);
        leave(0);
        leave(1);
        leave(2);

        answerAll();

        assertThat(told).contains("0 gone", "1 gone", "2 gone", "3 in doubt");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void transactionWhoseAnswerIsLostIsRepeatedWithAllThatWaitForIt() {
        wire.refusePassingOn(Outcome.UNKNOWN, null);
        leave(0);
        leave(1);
        answerAll();
        wire.refusePassingOn(null, null);

        time.advance(tenure.timeoutNanos());
        answerAll();

        assertThat(told).containsExactlyInAnyOrder("0 gone", "1 gone", "2 inherits");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void answersOfAnEarlierConnectionSendNothingMore() {
        leave(0);
        leave(1);
        departures.pause();

        answerNext();

        assertThat(told).containsExactly("0 gone");
        assertThat(answers).isEmpty();
    }

    @Test
    void manyGoInSeveralTransactions() {
        for (int i = 5; i < 100; i++) {
            places.add(new Place(i));
        }
        answerAll();
        for (int i = 0; i < 98; i++) {
            leave(i);
        }
        assertThat(answers).hasSize(4);

        answerAll();

        assertThat(told).hasSize(99).contains("97 gone", "98 inherits");
    }

    @Test
    void thoseThatWaitToGoTogetherAreDeletedOnTheNextConnection() {
        leave(0);
        leave(1);
        leave(2);
        departures.pause();
        answers.clear();

        departures.resume(tenure);
        answerAll();

        assertThat(told).containsExactlyInAnyOrder("0 gone", "1 gone", "2 gone", "3 inherits");
        assertThat(wire.isEmpty()).isFalse();
        leaveInFavourOfNobody(3);
        leaveInFavourOfNobody(4);
        answerAll();
        assertThat(wire.isEmpty()).isTrue();
    }

    private void leave(int place) {
        places.get(place).departure.inFavourOf(places.get(place + 1));
        leaveInFavourOfNobody(place);
    }

    private void leaveInFavourOfNobody(int place) {
        places.get(place).left = true;
        departures.begin(places.get(place).departure);
    }

    private void answerNext() {
        answers.remove().run();
    }

    private void answerAll() {
        while (!answers.isEmpty()) {
            answerNext();
        }
    }

    /** A seat, and what it hears of the one in front of it. */
    private final class Place implements Departure.Heir, Departure.Observer {

        private final int number;
        private final Departure departure;
        private boolean left;

        Place(int number) {
            this.number = number;
            this.departure = new Departure(FOLDER, new UUID(0, number).toString(), tenure);
            departure.observe(this);
            wire.create(
                    FOLDER + "/" + SeatName.stem(departure.id(), Demand.EXCLUSIVE),
                    new byte[0],
                    (outcome, node) -> departure.of(SeatName.ofPath(node.path())));
        }

        /** Before anything that was asked for and not answered yet. */
        void delete() {
            List<Runnable> before = List.copyOf(answers);
            answers.clear();
            wire.delete(departure.path(), (outcome, none) -> {});
            answers.addAll(before);
        }

        @Override
        public @Nullable String path() {
            return left ? null : departure.path();
        }

        @Override
        public void inherits() {
            hear("inherits");
        }

        @Override
        public void mayInherit() {
            hear("may inherit");
        }

        @Override
        public void isInDoubt() {
            hear("in doubt");
        }

        @Override
        public void isMissing() {
            sentBeforeMissing = answers.size();
            hear("missing");
            left = true;
        }

        private void hear(String what) {
            // who has left is not interested
            if (!left) {
                told.add(number + " " + what);
            }
        }

        @Override
        public void gone() {
            told.add(number + " gone");
        }

        @Override
        public void unseen() {
            told.add(number + " unseen");
        }
    }
}
