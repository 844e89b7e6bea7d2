package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Kind.SEMAPHORE;
import static io.github.zklock.faults.context.Variant.Policy.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.List;

/** The order of grants, step by step and without faults. */
public final class Queues {

    @FaultScenario(value = "S29", grants = 15, handOvers = 10, faults = 0)
    @Variants(kinds = EXCLUSIVE)
    public void thoseWhoWaitAreServedInTheOrderInWhichTheyCame(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        // one round of three unordered waiters might be in order by chance
        for (int round = 0; round < 5; round++) {
            context.hold(clients.holder());
            Event first = ask(context, clients.first(), "exclusive", 1);
            Event second = ask(context, clients.second(), "exclusive", 2);

            context.release(clients.holder());

            context.awaitTurn(clients.first(), first.at());
            context.awaitTurn(clients.second(), second.at());
        }
    }

    /** A held lock stays held: the checkers judge each answer of its handle. */
    @FaultScenario(value = "S29", grants = 3, handOvers = 1, faults = 0)
    public void aLockThatIsHeldForLongIsNeverInDoubt(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        Event held = context.hold(clients.holder());

        context.lastUntil(held, T.multipliedBy(3));

        context.release(clients.holder());
        context.holdInTurn(clients.first(), clients.second());
    }

    /** Each thread has a seat of its own, behind a seat of its own or of the other process, and some give up. */
    @FaultScenario(value = "S29", grants = 40, handOvers = 10, faults = 0)
    @Variants(kinds = EXCLUSIVE, policies = STRICT)
    public void aProcessPassesOnAmongItsOwnSeatsAndWaitsForThoseInBetween(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop(4, "exclusive");
        for (ClientProcess client : List.of(clients.first(), clients.second())) {
            client.send("loop 2 20 acquire-40 exclusive");
        }
        Event begun = context.await(Kind.GRANTED, clients.first(), 0);

        context.lastUntil(begun, T);

        clients.awaitGrants(context.note("ensemble", Kind.NOTED));
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 1, faults = 0)
    @Variants(kinds = EXCLUSIVE, policies = STRICT)
    public void whoWaitsBehindOneOfItsProcessThatGivesUpIsServedAllTheSame(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess process = clients.first();
        context.hold(process);
        process.send("once 0 acquire-1000 exclusive");
        context.queues().awaitSeats(2);
        process.send("once 0 forever exclusive");
        context.queues().awaitSeats(3);
        Event givenUp = context.await(Kind.TIMEOUT, process, 0);

        context.release(process);

        context.await(Kind.GRANTED, process, givenUp.at());
        context.holdInTurn(clients.second());
    }

    /** The deletion of the seat waits for the reply to the deletion before, and no later call triggers it again. */
    @FaultScenario(value = "S29", grants = 3, faults = 0)
    @Variants(kinds = EXCLUSIVE, policies = STRICT)
    public void aPlaceLeftWhileTheOneBeforeIsDeletedIsNotForgotten(ScenarioContext context) {
        InterceptingProxy proxy = context.proxy("first", context.ensemble().servers());
        ClientProcess process = context.client("first", proxy.connectString());
        context.awaitReady();
        context.hold(process);
        process.send("once 0 forever exclusive");
        context.queues().awaitSeats(2);
        process.send("once 1000 forever exclusive");
        context.queues().awaitSeats(3);

        proxy.holdBack(MessageDirection.TO_CLIENT);
        Event cue = context.note("ensemble", Kind.NOTED);
        context.release(process);
        Event next = context.await(Kind.GRANTED, process, cue.at());
        Event left = context.await(Kind.RELEASING, process, next.at());
        proxy.resume(MessageDirection.TO_CLIENT);

        Event last = context.await(Kind.GRANTED, process, left.at());
        context.await(Kind.CLOSED, process, last.at());
    }

    @FaultScenario(value = "S29", grants = 4, handOvers = 2, together = 2, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void aWriterWaitsForAllReadersWhoeverOfThemLeavesFirst(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess writer = context.client("writer");
        context.awaitReady();
        context.hold(clients.first(), "read");
        context.hold(clients.second(), "read");
        Event asked = ask(context, writer, "write", 1);

        context.release(clients.second());
        Event exclusive = context.note("ensemble", Kind.NOTED);
        // long enough to detect a writer that enters beside the reader
        context.lastUntil(exclusive, T.dividedBy(4));
        context.release(clients.first());

        context.awaitTurn(writer, asked.at());
        context.hold(clients.holder(), "read");
    }

    @FaultScenario(value = "S29", grants = 12, handOvers = 2, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void writersOfAProcessThatAlsoReadsAreAlone(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.first().send("loop 2 20 forever read");
        clients.first().send("loop 2 20 forever write");
        Event begun = context.await(Kind.GRANTED, clients.first(), 0);
        context.lastUntil(begun, T);

        context.hold(clients.second(), "write");
        context.release(clients.second());
        Event after = context.awaitGrantOf("read", System.nanoTime());
        context.awaitGrantOf("write", after.at());
    }

    @FaultScenario(value = "S29", grants = 6, handOvers = 3, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void aWriterComesInAlthoughReadersNeverStop(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        // four threads hold in turn, so that at least one of them always reads
        clients.first().send("loop 4 200 forever read");
        clients.second().send("loop 4 200 forever read");
        clients.awaitGrants(context.await(Kind.GRANTED, clients.first(), 0));

        Event granted = context.hold(clients.holder(), "write");
        context.release(clients.holder());

        clients.awaitGrants(granted);
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0)
    @Variants(kinds = SEMAPHORE)
    public void aPermitThatComesBackGoesToWhoeverWaitsWhichHolderItIs(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.first(), "permits-1-of-2");
        context.hold(clients.second(), "permits-1-of-2");
        Event asked = ask(context, clients.holder(), "permits-1-of-2", 1);

        // not the direct predecessor of the waiter
        Event released = context.release(clients.first());

        assertGrantedByAWatch(released, context.awaitTurn(clients.holder(), asked.at()));
        context.release(clients.second());
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0)
    @Variants(kinds = SEMAPHORE)
    public void permitsThatComeBackTogetherServeSeveral(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.holder(), "permits-2-of-2");
        Event first = ask(context, clients.first(), "permits-1-of-2", 1);
        Event second = ask(context, clients.second(), "permits-1-of-2", 2);

        context.release(clients.holder());

        context.await(Kind.GRANTED, clients.first(), first.at());
        // while the first one still holds
        context.await(Kind.GRANTED, clients.second(), second.at());
        context.release(clients.first());
        context.release(clients.second());
    }

    @FaultScenario(value = "S29", grants = 3, handOvers = 2, together = 2, faults = 0)
    @Variants(kinds = SEMAPHORE)
    public void aSmallWishDoesNotPassALargeOne(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.holder(), "permits-1-of-2");
        Event large = ask(context, clients.first(), "permits-2-of-2", 1);
        Event small = ask(context, clients.second(), "permits-1-of-2", 2);
        // long enough to detect an overtaking call
        context.lastUntil(small, T.dividedBy(4));

        context.release(clients.holder());

        Event granted = context.awaitTurn(clients.first(), large.at());
        context.awaitTurn(clients.second(), granted.at());
    }

    /** The direct successor must not mistake the end of the writer for its own turn. */
    @FaultScenario(value = "S29", grants = 4, handOvers = 1, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void aWriterThatBecomesAReaderKeepsWritersOut(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        Event writing = downgradeBefore(context, clients.holder(), "write", clients.first());

        Event reading = context.await(Kind.GRANTED, clients.holder(), writing.at());
        assertThat(reading.text("spec")).isEqualTo("read");
        assertThat(reading.text("token")).as("token of the reader").isEqualTo(writing.text("token"));
        // long enough to detect a writer that enters beside the reader
        context.lastUntil(reading, T.dividedBy(4));
        context.release(clients.holder());

        context.awaitTurn(clients.first(), reading.at());
        context.hold(clients.second(), "read");
    }

    @FaultScenario(value = "S29", grants = 4, handOvers = 1, together = 2, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void aWriterThatBecomesAReaderLetsReadersIn(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        Event writing = downgradeBefore(context, clients.holder(), "read", clients.first());

        // while the first one still reads
        context.awaitTurn(clients.first(), writing.at());
        context.release(clients.holder());
        context.hold(clients.second(), "write");
    }

    @FaultScenario(value = "S29", grants = 2, handOvers = 1, faults = 0)
    @Variants(kinds = READ_WRITE)
    public void aWishForAnotherKindOfLockIsRefused(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        Event granted = context.hold(clients.holder(), "read");

        for (String spec : List.of("exclusive", "permits-2-of-3")) {
            clients.first().send("once 0 forever " + spec);
            Event refused = context.await(
                    "a refusal of " + spec,
                    granted.at(),
                    event -> event.is(Kind.REFUSED, clients.first().name())
                            && event.text("call").endsWith(spec));
            assertThat(refused.text("message")).contains(LockSpec.USUAL_LOCK);
        }
        context.release(clients.holder());
        context.hold(clients.first(), "write");
    }

    @FaultScenario(value = "S30", grants = 2, handOvers = 1, faults = 0)
    public void aWaiterIsNotMisledWhenSomebodyWritesToTheNodeInFront(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.holder());
        Event asked = ask(context, clients.first(), context.exclusive(), 1);

        context.seats(LockSpec.USUAL_LOCK).forEach(seat -> context.operator().write(seat, "written by the operator"));
        Event written = context.note("operator", Kind.NOTED);
        // long enough to detect a waiter that mistakes the change for a deletion
        context.lastUntil(written, T.dividedBy(4));
        Event released = context.release(clients.holder());

        assertGrantedByAWatch(released, context.awaitTurn(clients.first(), asked.at()));
    }

    /** A waiter without a watch learns of a release only when it lists again, T after the last time. */
    private static void assertGrantedByAWatch(Event released, Event granted) {
        assertThat(Duration.ofNanos(granted.at() - released.at()))
                .as("time from the release to the grant of %s", granted.source())
                .isLessThan(T.dividedBy(2));
    }

    /** Lets a client acquire the write lock, and downgrade it while another client waits. */
    private static Event downgradeBefore(
            ScenarioContext context, ClientProcess client, String spec, ClientProcess waiter) {
        Event begun = context.note(client.name(), Kind.NOTED);
        client.send("hold-downgrading " + LockSpec.USUAL_LOCK);
        Event writing = context.await(Kind.GRANTED, client, begun.at());
        ask(context, waiter, spec, 1);
        client.send("downgrade");
        return writing;
    }

    /** Lets a client request the lock, and waits until this many processes watch the seats in front of their own. */
    private static Event ask(ScenarioContext context, ClientProcess client, String spec, int waiters) {
        Event asked = context.note(client.name(), Kind.NOTED);
        client.send("hold " + spec);
        context.queues().awaitWaiters(waiters);
        return asked;
    }
}
