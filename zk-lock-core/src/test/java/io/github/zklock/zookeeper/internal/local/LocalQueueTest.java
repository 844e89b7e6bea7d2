package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.local.QueueOfTest.Request;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What one process keeps, sends and grants when its seat is released, lingers, or has others behind it. */
class LocalQueueTest {

    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final Duration MAX_TIME = Duration.ofMillis(50);

    private final QueueOfTest test =
            new QueueOfTest(HandOff.bounded(1_000, MAX_TIME).lingering(LINGER));

    // a seat that lingers

    @Test
    void lockThatLingersIsAcquiredAgainWithoutARequest() {
        linger();

        Request again = test.request();

        assertThat(again.isGranted()).isTrue();
        assertThat(test.sent()).isEmpty();
    }

    @Test
    void lockIsNotAcquiredAgainByASeatBehindWhichOthersMayWait() {
        String own = holdByOneSeat();

        Request again = test.request();

        assertThat(again.isGranted()).isFalse();
        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
        String next = test.create(3);
        test.list(QueueOfTest.foreign(2), next);
        test.list(QueueOfTest.foreign(2), next);
        assertThat(again.isGranted())
                .as("the other process came before the second request")
                .isFalse();
    }

    @Test
    void lockIsNotAcquiredAgainByASeatThatLingersWithoutAConnection() {
        linger();

        test.queue().connectionLost();
        Request again = test.request();

        assertThat(again.isGranted()).isFalse();
        assertThat(test.sent()).anyMatch(sent -> sent.startsWith("Delete "));
    }

    @Test
    void attemptAsksWhetherOthersWaitBehindTheSeatThatLingers() {
        holdByOneSeat();

        Request attempt = test.attempt();

        assertThat(attempt.isGranted()).isFalse();
        assertThat(test.sent())
                .contains("sync " + QueueOfTest.FOLDER, "list " + QueueOfTest.FOLDER)
                .noneMatch(sent -> sent.startsWith("CreateSeat "));
    }

    @Test
    void seatThatLingersLeavesWhenAnotherProcessArrives() {
        String own = linger();

        arrive(2);

        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void seatInUseLosesItsMarkWhenAnotherProcessArrivesAndLeavesAfterItsTurn() {
        String own = linger();
        Request again = test.request();

        arrive(2);

        assertThat(test.sent()).containsExactly("Write " + QueueOfTest.FOLDER + "/" + own);
        again.release();
        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void seatInLongUseLosesItsMark() {
        linger();
        test.request();
        test.queue().tick();
        assertThat(test.sent()).isEmpty();

        test.queue().tick();

        assertThat(test.sent()).singleElement().asString().startsWith("Write ");
    }

    @Test
    void seatDoesNotLingerIfItsFolderCannotBeWatched() {
        String own = holdByOneSeat();

        test.servers.answer("watchTree", Outcome.REFUSED, null);

        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void seatLeavesWhenTheLingerIsOver() {
        String own = linger();

        test.time.advance(LINGER.toNanos() - 1);
        assertThat(test.sent()).isEmpty();
        test.time.advance(1);

        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void lingerBeginsAnewWithEachUse() {
        String own = linger();
        test.time.advance(LINGER.toNanos() / 2);
        test.request().release();

        test.time.advance(LINGER.toNanos() - 1);
        assertThat(test.sent()).isEmpty();
        test.time.advance(1);

        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void lingerEndsAfterAUseThatLastedLongerThanALinger() {
        String own = linger();
        Request again = test.request();
        test.time.advance(LINGER.toNanos());
        again.release();

        test.time.advance(LINGER.toNanos() - 1);
        assertThat(test.sent()).isEmpty();
        test.time.advance(1);

        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void noAlarmIsLeftOfASeatThatLingered() {
        linger();
        int before = test.time.alarms();

        arrive(2);

        assertThat(test.time.alarms()).isEqualTo(before - 1);
    }

    // other processes behind a seat in use

    @Test
    void processLooksForOthersAgainAndAgainWhileItHandsTheLockOn() {
        Request first = test.hold(1);
        String own = test.own();
        Request second = test.request();
        Request third = test.request();
        test.sent();

        test.time.advance(MAX_TIME.toNanos());
        assertThat(test.sent()).containsExactly("list " + QueueOfTest.FOLDER);
        test.list(own);
        first.release();
        assertThat(second.isGranted()).isTrue();
        test.time.advance(MAX_TIME.toNanos());
        assertThat(test.sent()).containsExactly("list " + QueueOfTest.FOLDER);
        test.list(own);
        second.release();

        assertThat(third.isGranted()).isTrue();
    }

    @Test
    void processGivesTheLockAwayAfterTheTurnInWhichItFoundOthers() {
        Request first = test.hold(1);
        String own = test.own();
        Request second = test.request();
        test.time.advance(MAX_TIME.toNanos());

        test.list(own, QueueOfTest.foreign(2));
        first.release();

        assertThat(second.isGranted()).isFalse();
        assertThat(test.sent()).contains("Delete " + QueueOfTest.FOLDER + "/" + own);
    }

    @Test
    void processLooksForOthersAgainAfterALookThatWasDenied() {
        Request first = test.hold(1);
        test.request();
        test.request();
        test.time.advance(MAX_TIME.toNanos());
        test.servers.answer("list ", Outcome.ACCESS_DENIED, null);
        test.sent();

        first.release();

        assertThat(test.sent()).containsExactly("list " + QueueOfTest.FOLDER);
    }

    @Test
    void processDoesNotLookForOthersWhileItsSeatWaits() {
        test.hold(1);
        String own = test.own();
        test.request();
        test.queue().deleted(SeatName.parse(own).orElseThrow());
        test.create(3);
        test.list(QueueOfTest.foreign(2), test.own());
        test.sent();

        test.time.advance(MAX_TIME.toNanos());

        assertThat(test.sent()).isEmpty();
    }

    // the ends of requests

    @Test
    void deadlineThatPassesAtTheGrantChangesNothing() {
        test.time.cancelTooLate();
        Request request = test.request(new Patience(Duration.ofMillis(100), true));
        test.list(test.create(1));
        assertThat(request.isGranted()).isTrue();

        test.time.advance(Duration.ofMillis(100).toNanos());

        assertThat(request.refusal()).isNull();
    }

    /** L31: it lacks only the proof. */
    @Test
    void claimAtTheHeadIsNotToldOfALaterClaimThatWaitsBehindIt() {
        QueueOfTest strict = new QueueOfTest(HandOff.strict());
        strict.servers.needProof();
        Duration limit = Duration.ofSeconds(1);
        Request first = strict.request(new Patience(limit, true));
        String own = strict.create(1);
        strict.list(own);
        Request second = strict.request(new Patience(limit.plusSeconds(1), true));
        String behind = strict.create(2);
        strict.list(own, behind);

        strict.time.advance(limit.toNanos());

        assertThat(first.isGranted()).isFalse();
        assertThat(first.refusal().reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(first.refusal().message()).contains("no other request was ahead", "not proven to be alive");
        assertThat(second.refusal()).isNull();
    }

    /** L31: no other one precedes it, but an earlier one of this process. */
    @Test
    void claimBehindAnEarlierOneOfItsProcessIsNotToldThatItWasFirst() {
        QueueOfTest bounded = new QueueOfTest(HandOff.bounded(1_000, MAX_TIME));
        bounded.servers.needProof();
        Duration limit = Duration.ofSeconds(1);
        bounded.request(new Patience(limit.plusSeconds(1), true));
        bounded.list(bounded.create(1));
        Request second = bounded.request(new Patience(limit, true));

        bounded.time.advance(limit.toNanos());

        assertThat(second.refusal().reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(second.refusal().message()).doesNotContain("no other request was ahead");
    }

    @Test
    void claimBehindAnotherProcessIsToldOfIt() {
        QueueOfTest strict = new QueueOfTest(HandOff.strict());
        strict.servers.needProof();
        Duration limit = Duration.ofSeconds(1);
        Request first = strict.request(new Patience(limit, true));
        strict.list(QueueOfTest.foreign(1), strict.create(2));

        strict.time.advance(limit.toNanos());

        assertThat(first.refusal().reason()).isEqualTo(Reason.BUSY);
    }

    @Test
    void attemptAsksAgainIfItWasNotAnsweredInTime() {
        test.attempt();
        assertThat(test.sent()).contains("list " + QueueOfTest.FOLDER);

        test.servers.answer("list ", Outcome.UNKNOWN, null);
        test.time.advance(Duration.ofSeconds(1).toNanos());

        assertThat(test.sent()).contains("list " + QueueOfTest.FOLDER);
    }

    @Test
    void attemptThatWasWithdrawnDoesNotQueue() {
        Request withdrawn = test.attempt();
        Request other = test.attempt();
        test.queue().withdraw(withdrawn.claim);

        test.list();
        test.list();

        assertThat(other.refusal()).isNull();
        test.list(test.create(1));
        assertThat(other.isGranted()).isTrue();
    }

    @Test
    void limitsThatEndTogetherLetOtherCallersIn() {
        Queue<Runnable> turns = new ArrayDeque<>();
        test.turns = turns;
        Duration limit = Duration.ofSeconds(1);
        List<Request> requests = Stream.generate(() -> test.request(new Patience(limit, true)))
                .limit(100)
                .toList();
        test.list(QueueOfTest.foreign(1), test.create(2));

        test.time.advance(limit.toNanos());
        List<Long> ended = new ArrayList<>();
        while (!turns.isEmpty()) {
            assertThat(turns).as("tasks at a time").hasSize(1);
            turns.remove().run();
            ended.add(requests.stream()
                    .filter(request -> request.refusal() != null)
                    .count());
        }

        assertThat(ended).containsExactly(32L, 64L, 96L, 100L);
    }

    @Test
    void attemptsOfManyCallersShareAQuestionThatIsAskedAfterThem() {
        List<Request> attempts = Stream.generate(test::attempt).limit(1_000).toList();
        assertThat(test.sent().stream().filter(sent -> sent.startsWith("list ")))
                .as("questions of 1,000 attempts")
                .hasSize(4);

        test.list(QueueOfTest.foreign(1));
        assertThat(attempts.stream().filter(attempt -> attempt.refusal() != null))
                .hasSize(1);
        for (int i = 0; i < 4; i++) {
            test.list(QueueOfTest.foreign(1));
        }

        assertThat(attempts).allMatch(attempt -> attempt.refusal() != null);
        assertThat(test.sent().stream().filter(sent -> sent.startsWith("list ")))
                .as("further questions")
                .hasSize(1);
    }

    @Test
    void attemptsAreAskedForAnewOnTheNextConnection() {
        for (int i = 0; i < 8; i++) {
            test.attempt();
        }
        test.sent();

        test.reconnect();
        assertThat(test.sent()).contains("list " + QueueOfTest.FOLDER);
        test.attempt();

        assertThat(test.sent()).contains("list " + QueueOfTest.FOLDER);
    }

    @Test
    void attemptQueuesBehindASeatThatLingersElsewhereAndWatchesIt() {
        String lingering = QueueOfTest.lingering(1);
        attemptBehind(lingering);

        test.list(lingering, test.create(2));

        assertThat(test.sent().stream().filter(("readWatching " + QueueOfTest.FOLDER + "/" + lingering)::equals))
                .as("for the mark, and for the place in the queue")
                .hasSize(2);
    }

    @Test
    void withdrawnAttemptBehindASeatThatLingersHasNoTimeLimit() {
        Request attempt = attemptBehind(QueueOfTest.lingering(1));
        Request other = test.request();

        test.queue().withdraw(attempt.claim);
        test.time.advance(IdleSeats.PATIENCE.toNanos());

        assertThat(attempt.refusal()).isNull();
        assertThat(other.refusal()).isNull();
    }

    @Test
    void deniedAttemptDoesNotQueueWhenASeatInFrontIsFoundIdleLater() {
        String lingering = QueueOfTest.lingering(1);
        Request attempt = test.attempt();
        test.list(lingering);
        test.reconnect();
        Request other = test.attempt();
        test.servers.answer("list ", Outcome.ACCESS_DENIED, null);
        assertThat(attempt.refusal()).isNotNull();

        findIdle(lingering);

        assertThat(other.refusal()).isNull();
        assertThat(test.sent()).noneMatch(sent -> sent.startsWith("CreateSeat "));
    }

    /** Returns an attempt that has found this seat alone, with the mark of an idle one, and has requested a seat. */
    private Request attemptBehind(String lingering) {
        Request attempt = test.attempt();
        test.list(lingering);
        findIdle(lingering);
        return attempt;
    }

    /** Answers the read of a seat of another process: it has the mark of an idle one. */
    private void findIdle(String lingering) {
        Label label = new Label(new OwnerDescription("other", "host", 2), "holder", Instant.EPOCH);
        String path = QueueOfTest.FOLDER + "/" + lingering;
        test.servers.answer("read " + path, Outcome.OK, new Node(path, 5, 2, label.idleOn(Demand.EXCLUSIVE), 0));
    }

    /** Has another process create a seat. */
    private void arrive(int sequence) {
        test.servers.fire(
                QueueOfTest.FOLDER, TreeEvent.CREATED, QueueOfTest.FOLDER + "/" + QueueOfTest.foreign(sequence));
    }

    /** Has the process acquire the lock and release it. Nothing that it sends then is answered. Returns its seat. */
    private String holdByOneSeat() {
        Request held = test.hold(1);
        held.release();
        return test.own();
    }

    /** Has the process keep its seat, in a view that is current. Returns the seat. */
    private String linger() {
        String own = holdByOneSeat();
        test.watch(own);
        test.servers.answer("Write ", Outcome.OK, null);
        test.sent();
        return own;
    }
}
