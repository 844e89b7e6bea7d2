package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.rig.Wiretap.Way;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Policy;
import io.github.zklock.faults.stage.Wires;
import java.time.Duration;
import java.util.List;

/** A holder that hears from the servers late, or does not get through to them, while everybody else does. */
public class LateReplies {

    /** Counted from the answer and not from the request, a proof would outlive the session by as much. */
    private static final Duration LATE = T.dividedBy(2);

    /** An answer proves something of one that came a quarter of a session timeout before. */
    private static final Duration BETWEEN_PROOFS = T.dividedBy(4).plus(T.dividedBy(30));

    private static final List<String> OTHER_LOCKS = List.of("@first-of-three", "@second-of-three", "@third-of-three");

    /** The way between the holder and the servers, and both ends of the story. */
    private record Scene(Stage stage, Wiretap tap, ClientProcess holder, ClientProcess other) {

        static Scene on(Stage stage) {
            Wiretap tap = stage.wiretap("holder", stage.ensemble().servers());
            ClientProcess holder = stage.client("holder", tap.connectString());
            ClientProcess other = stage.client("other", stage.ensemble().connectStringWithout());
            stage.awaitReady();
            return new Scene(stage, tap, holder, other);
        }

        /** Lets the other one ask for this, and stand behind the holder. */
        void lineUp(String wish) {
            other.order("hold " + wish);
            stage.seating().awaitSeats(2);
        }

        Event silence(Way... ways) {
            for (Way way : ways) {
                tap.holdBack(way);
            }
            return stage.note(Wires.of(holder), Kind.CUT);
        }

        void speak() {
            tap.heal();
            stage.heal();
        }

        /** Lets the holder write, and become a reader while a writer stands behind it, with what waits for it then. */
        Event becomeReaderInto(Trap trap) throws InterruptedException {
            Event begun = stage.note(holder.name(), Kind.NOTED);
            holder.order("hold-downgrading " + Wish.USUAL_LOCK);
            Event writing = stage.await(Kind.GRANTED, holder, begun.at());
            lineUp("write");
            tap.lay(List.of(trap));
            holder.order("downgrade");
            Event reading = stage.await(Kind.GRANTED, holder, writing.at());
            assertThat(trap.awaitSprung(Stage.PATIENCE))
                    .as("%s was reached", trap)
                    .isTrue();
            trap.check();
            return reading;
        }
    }

    /** By the rule of proofs it takes three of them; the last request is sent before anybody is cut off. */
    @FaultScenario(value = "S7", grants = 9, handOvers = 2, losses = 1)
    public void aLateAnswerProvesNothingOfTheTimeAfterItsRequest(Stage stage) throws InterruptedException {
        Scene scene = Scene.on(stage);
        String wish = stage.variant().kind().alone();
        for (String other : OTHER_LOCKS) {
            // makes its folder: from now on one request makes a seat
            stage.hold(scene.holder(), wish + other);
            stage.release(scene.holder());
        }
        stage.seating().awaitNoSeats();
        Event granted = stage.hold(scene.holder());
        scene.lineUp(wish);

        Trap last = Trap.at(Phase.AFTER_SEND, What.CREATE, OTHER_LOCKS.size() - 1)
                .doing(() -> scene.tap().holdBack(Way.TO_SERVER));
        scene.tap().holdBack(Way.TO_CLIENT);
        Trap hangUp = Trap.at(Phase.BEFORE_SEND, What.CONNECT).doing(() -> {});
        scene.tap().lay(List.of(last, hangUp));
        OTHER_LOCKS.forEach(other -> scene.holder().order("once 0 forever " + wish + other));
        assertThat(last.awaitSprung(Stage.PATIENCE))
                .as("all requests were sent")
                .isTrue();
        Event silent = scene.silence();
        stage.lastUntil(silent, LATE);
        scene.tap().pass(Way.TO_CLIENT, What.CREATE, 1);
        stage.lastUntil(silent, LATE.plus(BETWEEN_PROOFS));
        scene.tap().pass(Way.TO_CLIENT, What.CREATE, 1);
        stage.lastUntil(silent, LATE.plus(BETWEEN_PROOFS).plus(BETWEEN_PROOFS.dividedBy(8)));
        assertThat(hangUp.isSprung())
                .as("the client hung up before it was answered: nothing was tested")
                .isFalse();
        scene.tap().letGo(Way.TO_CLIENT);
        Event next = stage.await(Kind.GRANTED, scene.other(), silent.at());
        // long enough for a holder that counts from the answer to be seen beside the other
        stage.lastUntil(next, T.dividedBy(4));
        scene.speak();

        stage.awaitLossOf(granted);
        stage.release(scene.holder());
        stage.release(scene.other());
        stage.hold(scene.holder());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 2)
    public void aTurnIsNotPassedOnByAProcessThatCannotProveIt(Stage stage) {
        Scene scene = Scene.on(stage);
        Event granted = stage.hold(scene.holder());
        scene.holder().order("once 50 forever " + stage.variant().kind().alone());
        stage.await(Kind.ASKED, scene.holder(), granted.at());

        Event silent = scene.silence(Way.TO_SERVER, Way.TO_CLIENT);
        // by then it is certain that the seat has gone
        stage.lastUntil(stage.hold(scene.other()), T.dividedBy(10));
        Event released = stage.release(scene.holder());
        // long enough for a turn on a seat that has gone to be seen
        stage.lastUntil(released, T.dividedBy(8));
        scene.speak();
        stage.release(scene.other());

        Event own = stage.await(Kind.GRANTED, scene.holder(), silent.at());
        stage.await(Kind.CLOSED, scene.holder(), own.at());
    }

    /** A seat that lingers is given back to the process, of which the servers see nothing. */
    @FaultScenario(
            value = "S7",
            grants = 2,
            handOvers = 1,
            policies = {Policy.BOUNDED, Policy.STRICT})
    public void aReleaseIsToldWhenTheServersHaveSeenIt(Stage stage) {
        Scene scene = Scene.on(stage);
        stage.hold(scene.holder());

        Event silent = scene.silence(Way.TO_SERVER);
        stage.release(scene.holder());
        stage.lastUntil(silent, T.dividedBy(8));
        long before = System.nanoTime();
        scene.speak();

        Event seen = stage.await(Kind.SEEN, scene.holder(), silent.at());
        assertThat(seen.at() - before)
                .as("nanoseconds by which the servers were before %s", seen)
                .isPositive();
        stage.hold(scene.other());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 1, kinds = Variant.Kind.READ_WRITE)
    public void aDowngradeThatTheServersDidNotHearOfIsMadeAgain(Stage stage) throws InterruptedException {
        Scene scene = Scene.on(stage);
        Event reading = scene.becomeReaderInto(Trap.at(Phase.BEFORE_SEND, What.CHANGE));
        // some renewals, by which a reader whose seat is still a writer's would think that it had lost it
        stage.lastUntil(reading, T.dividedBy(2));
        stage.release(scene.holder());

        stage.await(Kind.GRANTED, scene.other(), reading.at());
        stage.release(scene.other());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 1, kinds = Variant.Kind.READ_WRITE)
    public void aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat(Stage stage) throws InterruptedException {
        Scene scene = Scene.on(stage);
        Event reading = scene.becomeReaderInto(
                Trap.at(Phase.BEFORE_REPLY, What.CHANGE).doing(() -> stage.release(scene.holder())));

        stage.await(Kind.GRANTED, scene.other(), reading.at());
        stage.release(scene.other());
    }
}
