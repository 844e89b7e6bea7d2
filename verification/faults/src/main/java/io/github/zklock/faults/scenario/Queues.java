package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.rig.Wiretap.Way;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Operator;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import java.util.List;

/** Who comes next, step by step, with no fault at all: what goes wrong here needs none. */
public final class Queues {

    @FaultScenario(value = "S29", grants = 15, handOvers = 10, faults = 0, kinds = Variant.Kind.EXCLUSIVE)
    public void thoseWhoWaitAreServedInTheOrderInWhichTheyCame(Stage stage) {
        Cast cast = Cast.together(stage);
        // three of whose order nobody takes care come in the right one by chance, but not always
        for (int round = 0; round < 5; round++) {
            stage.hold(cast.holder());
            Event first = ask(stage, cast.first(), "exclusive", 1);
            Event second = ask(stage, cast.second(), "exclusive", 2);

            stage.release(cast.holder());

            stage.await(Kind.GRANTED, cast.first(), first.at());
            stage.release(cast.first());
            stage.await(Kind.GRANTED, cast.second(), second.at());
            stage.release(cast.second());
        }
    }

    /** What is held is held all the time, whether anybody looks or not: each answer of its handle is judged. */
    @FaultScenario(value = "S29", grants = 3, handOvers = 1, faults = 0)
    public void aLockThatIsHeldForLongIsNeverInDoubt(Stage stage) {
        Cast cast = Cast.together(stage);
        Event held = stage.hold(cast.holder());

        stage.lastUntil(held, T.multipliedBy(3));

        stage.release(cast.holder());
        stage.hold(cast.first());
        stage.release(cast.first());
        stage.hold(cast.second());
        stage.release(cast.second());
    }

    /** Each thread has a seat of its own, behind its own process's or behind the other one's, and some give up. */
    @FaultScenario(
            value = "S29",
            grants = 40,
            handOvers = 10,
            faults = 0,
            kinds = Variant.Kind.EXCLUSIVE,
            policies = Variant.Policy.STRICT)
    public void aProcessPassesOnAmongItsOwnSeatsAndWaitsForThoseInBetween(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.loop(4, "exclusive");
        for (ClientProcess client : List.of(cast.first(), cast.second())) {
            client.order("loop 2 20 acquire-40 exclusive");
        }
        Event begun = stage.await(Kind.GRANTED, cast.first(), 0);

        stage.lastUntil(begun, T);

        cast.awaitGrants(stage.note("ensemble", Kind.NOTED));
    }

    @FaultScenario(
            value = "S29",
            grants = 3,
            handOvers = 1,
            faults = 0,
            kinds = Variant.Kind.EXCLUSIVE,
            policies = Variant.Policy.STRICT)
    public void whoWaitsBehindOneOfItsProcessThatGivesUpIsServedAllTheSame(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess process = cast.first();
        stage.hold(process);
        process.order("once 0 acquire-1000 exclusive");
        stage.seating().awaitSeats(2);
        process.order("once 0 forever exclusive");
        stage.seating().awaitSeats(3);
        Event givenUp = stage.await(Kind.TIMEOUT, process, 0);

        stage.release(process);

        stage.await(Kind.GRANTED, process, givenUp.at());
        stage.hold(cast.second());
        stage.release(cast.second());
    }

    /** Its deletion waits for the answer to that of the one before, and nobody asks for it again. */
    @FaultScenario(
            value = "S29",
            grants = 3,
            faults = 0,
            kinds = Variant.Kind.EXCLUSIVE,
            policies = Variant.Policy.STRICT)
    public void aPlaceLeftWhileTheOneBeforeIsDeletedIsNotForgotten(Stage stage) {
        Wiretap tap = stage.wiretap("first", stage.ensemble().servers());
        ClientProcess process = stage.client("first", tap.connectString());
        stage.awaitReady();
        stage.hold(process);
        process.order("once 0 forever exclusive");
        stage.seating().awaitSeats(2);
        process.order("once 1000 forever exclusive");
        stage.seating().awaitSeats(3);

        tap.holdBack(Way.TO_CLIENT);
        Event cue = stage.note("ensemble", Kind.NOTED);
        stage.release(process);
        Event next = stage.await(Kind.GRANTED, process, cue.at());
        Event left = stage.await(Kind.RELEASING, process, next.at());
        tap.letGo(Way.TO_CLIENT);

        Event last = stage.await(Kind.GRANTED, process, left.at());
        stage.await(Kind.CLOSED, process, last.at());
    }

    @FaultScenario(value = "S29", grants = 4, handOvers = 2, together = 2, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void aWriterWaitsForAllReadersWhoeverOfThemLeavesFirst(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess writer = stage.client("writer", stage.ensemble().connectStringWithout());
        stage.awaitReady();
        stage.hold(cast.first(), "read");
        stage.hold(cast.second(), "read");
        Event asked = ask(stage, writer, "write", 1);

        stage.release(cast.second());
        Event alone = stage.note("ensemble", Kind.NOTED);
        // long enough for a writer that enters too early to be seen beside the reader
        stage.lastUntil(alone, T.dividedBy(4));
        stage.release(cast.first());

        stage.await(Kind.GRANTED, writer, asked.at());
        stage.release(writer);
        stage.hold(cast.holder(), "read");
    }

    @FaultScenario(value = "S29", grants = 12, handOvers = 2, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void writersOfAProcessThatAlsoReadsAreAlone(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.first().order("loop 2 20 forever read");
        cast.first().order("loop 2 20 forever write");
        Event begun = stage.await(Kind.GRANTED, cast.first(), 0);
        stage.lastUntil(begun, T);

        stage.hold(cast.second(), "write");
        stage.release(cast.second());
        Event after = stage.awaitGrantOf("read", System.nanoTime());
        stage.awaitGrantOf("write", after.at());
    }

    @FaultScenario(value = "S29", grants = 6, handOvers = 3, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void aWriterComesInAlthoughReadersNeverStop(Stage stage) {
        Cast cast = Cast.together(stage);
        // four that hold in turn, so that one of them always reads
        cast.first().order("loop 4 200 forever read");
        cast.second().order("loop 4 200 forever read");
        cast.awaitGrants(stage.await(Kind.GRANTED, cast.first(), 0));

        Event granted = stage.hold(cast.holder(), "write");
        stage.release(cast.holder());

        cast.awaitGrants(granted);
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0, kinds = Variant.Kind.SEMAPHORE)
    public void aPermitThatComesBackGoesToWhoeverWaitsWhichHolderItIs(Stage stage) {
        Cast cast = Cast.together(stage);
        stage.hold(cast.first(), "permits-1-of-2");
        stage.hold(cast.second(), "permits-1-of-2");
        Event asked = ask(stage, cast.holder(), "permits-1-of-2", 1);

        // not the one directly in front of the waiter
        stage.release(cast.first());

        stage.await(Kind.GRANTED, cast.holder(), asked.at());
        stage.release(cast.holder());
        stage.release(cast.second());
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0, kinds = Variant.Kind.SEMAPHORE)
    public void permitsThatComeBackTogetherServeSeveral(Stage stage) {
        Cast cast = Cast.together(stage);
        stage.hold(cast.holder(), "permits-2-of-2");
        Event first = ask(stage, cast.first(), "permits-1-of-2", 1);
        Event second = ask(stage, cast.second(), "permits-1-of-2", 2);

        stage.release(cast.holder());

        stage.await(Kind.GRANTED, cast.first(), first.at());
        // while the first still holds
        stage.await(Kind.GRANTED, cast.second(), second.at());
        stage.release(cast.first());
        stage.release(cast.second());
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0, kinds = Variant.Kind.SEMAPHORE)
    public void aSmallWishDoesNotPassALargeOne(Stage stage) {
        Cast cast = Cast.together(stage);
        stage.hold(cast.holder(), "permits-1-of-2");
        Event large = ask(stage, cast.first(), "permits-2-of-2", 1);
        Event small = ask(stage, cast.second(), "permits-1-of-2", 2);
        // long enough for one who passes to be seen
        stage.lastUntil(small, T.dividedBy(4));

        stage.release(cast.holder());

        Event granted = stage.await(Kind.GRANTED, cast.first(), large.at());
        stage.release(cast.first());
        stage.await(Kind.GRANTED, cast.second(), granted.at());
        stage.release(cast.second());
    }

    /** The one directly behind must not take its writer's end for its own turn. */
    @FaultScenario(value = "S29", grants = 4, handOvers = 1, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void aWriterThatBecomesAReaderKeepsWritersOut(Stage stage) {
        Cast cast = Cast.together(stage);
        Event writing = becomeReaderWith(stage, cast.holder(), "write", cast.first());

        Event reading = stage.await(Kind.GRANTED, cast.holder(), writing.at());
        assertThat(reading.text("wish")).isEqualTo("read");
        assertThat(reading.text("token")).as("token of the reader").isEqualTo(writing.text("token"));
        // long enough for a writer that enters too early to be seen beside the reader
        stage.lastUntil(reading, T.dividedBy(4));
        stage.release(cast.holder());

        stage.await(Kind.GRANTED, cast.first(), reading.at());
        stage.release(cast.first());
        stage.hold(cast.second(), "read");
    }

    @FaultScenario(value = "S29", grants = 4, handOvers = 1, together = 2, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void aWriterThatBecomesAReaderLetsReadersIn(Stage stage) {
        Cast cast = Cast.together(stage);
        Event writing = becomeReaderWith(stage, cast.holder(), "read", cast.first());

        // while the first of them reads on
        stage.await(Kind.GRANTED, cast.first(), writing.at());
        stage.release(cast.first());
        stage.release(cast.holder());
        stage.hold(cast.second(), "write");
    }

    @FaultScenario(value = "S29", grants = 2, handOvers = 1, faults = 0, kinds = Variant.Kind.READ_WRITE)
    public void aWishForAnotherKindOfLockIsRefused(Stage stage) {
        Cast cast = Cast.together(stage);
        Event granted = stage.hold(cast.holder(), "read");

        for (String wish : List.of("exclusive", "permits-2-of-3")) {
            cast.first().order("once 0 forever " + wish);
            Event refused = stage.timeline()
                    .await(
                            "a refusal of " + wish,
                            granted.at(),
                            event -> event.is(Kind.REFUSED, cast.first().name())
                                    && event.text("call").endsWith(wish));
            assertThat(refused.text("message")).contains(Wish.USUAL_LOCK);
        }
        stage.release(cast.holder());
        stage.hold(cast.first(), "write");
    }

    @FaultScenario(value = "S30", grants = 2, handOvers = 1, faults = 0)
    public void aWaiterIsNotMisledWhenSomebodyWritesToTheNodeInFront(Stage stage) throws Exception {
        Cast cast = Cast.together(stage);
        stage.hold(cast.holder());
        Event asked = ask(stage, cast.first(), stage.variant().kind().alone(), 1);

        Operator operator = stage.operator();
        for (String seat : operator.seats(Wish.USUAL_LOCK)) {
            operator.write(seat, "written by somebody else");
        }
        Event written = stage.note("operator", Kind.NOTED);
        // long enough for a waiter that takes it for a deletion to be seen beside the holder
        stage.lastUntil(written, T.dividedBy(4));
        stage.release(cast.holder());

        stage.await(Kind.GRANTED, cast.first(), asked.at());
        stage.release(cast.first());
    }

    /** Lets a client write while another one waits, and then only read. */
    private static Event becomeReaderWith(Stage stage, ClientProcess client, String wish, ClientProcess waiter) {
        Event begun = stage.note(client.name(), Kind.NOTED);
        client.order("hold-downgrading " + Wish.USUAL_LOCK);
        Event writing = stage.await(Kind.GRANTED, client, begun.at());
        ask(stage, waiter, wish, 1);
        client.order("downgrade");
        return writing;
    }

    /** Lets a client ask, and waits until so many wait, and watch what stands in front of them. */
    private static Event ask(Stage stage, ClientProcess client, String wish, int waiters) {
        Event asked = stage.note(client.name(), Kind.NOTED);
        client.order("hold " + wish);
        stage.seating().awaitWaiters(waiters);
        return asked;
    }
}
