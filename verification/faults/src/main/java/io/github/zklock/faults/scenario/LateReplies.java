package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Policy.BOUNDED;
import static io.github.zklock.faults.context.Variant.Policy.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A holder whose requests or replies are delayed or lost, while all other connections work. */
public class LateReplies {

    /**
     * Less than the time in which the leader may have stood still, so that the time between two replies counts, with a
     * margin for a slow machine.
     */
    private static final Duration BETWEEN_REPLIES = T.multipliedBy(3).dividedBy(25);

    /** With this many replies before a write, more than the time between two pings of the leader passes. */
    private static final int ASKED = 3;

    private static final List<String> OTHER_LOCKS = List.of("@first-of-two", "@second-of-two");

    /** The holder behind a proxy, and the next client. */
    private record Setup(ScenarioContext context, InterceptingProxy proxy, ClientProcess holder, ClientProcess other) {

        static Setup on(ScenarioContext context) {
            InterceptingProxy proxy = context.proxy("holder", context.ensemble().servers());
            ClientProcess holder = context.client("holder", proxy.connectString());
            ClientProcess other = context.client("other");
            context.awaitReady();
            return new Setup(context, proxy, holder, other);
        }

        /** Lets the next client request the lock, and waits until it is in the queue. */
        void queueBehindHolder(String spec) {
            other.send("hold " + spec);
            context.queues().awaitSeats(2);
        }

        Event holdBack(MessageDirection... directions) {
            for (MessageDirection direction : directions) {
                proxy.holdBack(direction);
            }
            return context.note(ScenarioContext.proxyOf(holder.name()), Kind.CUT);
        }

        void heal() {
            proxy.heal();
            context.heal();
        }

        /**
         * Lets the holder acquire the write lock and downgrade it while a writer waits, with an interception of the
         * downgrade.
         */
        Event downgradeInto(Interception interception) {
            Event begun = context.note(holder.name(), Kind.NOTED);
            holder.send("hold-downgrading " + LockSpec.USUAL_LOCK);
            Event writing = context.await(Kind.GRANTED, holder, begun.at());
            queueBehindHolder("write");
            proxy.install(List.of(interception));
            holder.send("downgrade");
            Event reading = context.await(Kind.GRANTED, holder, writing.at());
            interception.requireTriggered(ScenarioContext.MAX_WAIT);
            return reading;
        }
    }

    /**
     * Passes the replies on one after the other, while the servers receive nothing. A proof that counted from the reply,
     * not from the request, would outlive the session. A write proves something about a request whose answer is T/3 older;
     * two writes are needed, because the first can only prove requests from before the silence.
     */
    @FaultScenario(value = "S7", grants = 7, handOvers = 2, losses = 1)
    public void aLateAnswerProvesNothingOfTheTimeAfterItsRequest(ScenarioContext context) {
        Setup setup = Setup.on(context);
        String spec = context.exclusive();
        for (String other : OTHER_LOCKS) {
            // creates its folder: from now on one request creates a seat
            context.hold(setup.holder(), spec + other);
            context.release(setup.holder());
        }
        context.queues().awaitNoSeats();
        Event granted = context.hold(setup.holder());
        setup.queueBehindHolder(spec);

        List<Interception> sent = new ArrayList<>();
        for (int each = 0; each < OTHER_LOCKS.size(); each++) {
            sent.add(Interception.at(Phase.AFTER_SEND, Target.SYNC, ASKED - 1).doing(() -> {}));
            sent.add(Interception.at(Phase.AFTER_SEND, Target.CREATE).doing(() -> {}));
        }
        Interception reconnection =
                Interception.at(Phase.BEFORE_SEND, Target.CONNECT).doing(() -> {});
        sent.add(reconnection);
        setup.proxy().install(sent);
        setup.proxy().holdBack(MessageDirection.TO_CLIENT);
        for (int each = 0; each < OTHER_LOCKS.size(); each++) {
            setup.holder().send("ask " + ASKED);
            sent.get(2 * each).requireTriggered(ScenarioContext.MAX_WAIT);
            setup.holder().send("once 0 forever " + spec + OTHER_LOCKS.get(each));
            sent.get(2 * each + 1).requireTriggered(ScenarioContext.MAX_WAIT);
        }
        Event silent = setup.holdBack(MessageDirection.TO_SERVER);

        Duration passed = Duration.ZERO;
        for (int each = 0; each < OTHER_LOCKS.size(); each++) {
            for (int asked = 0; asked < ASKED; asked++) {
                passed = passed.plus(BETWEEN_REPLIES);
                context.lastUntil(silent, passed);
                setup.proxy().pass(MessageDirection.TO_CLIENT, Target.SYNC, 1);
            }
            passed = passed.plus(BETWEEN_REPLIES.dividedBy(6));
            context.lastUntil(silent, passed);
            setup.proxy().pass(MessageDirection.TO_CLIENT, Target.CREATE, 1);
        }
        assertThat(reconnection.isTriggered())
                .as("the client reconnected before the last reply: nothing was tested")
                .isFalse();
        Event next = context.await(Kind.GRANTED, setup.other(), silent.at());
        // long enough to detect a holder that counts from the reply
        context.lastUntil(next, T.dividedBy(4));
        setup.heal();

        context.awaitLossOf(granted);
        context.release(setup.holder());
        context.release(setup.other());
        context.hold(setup.holder());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 2)
    public void aTurnIsNotPassedOnByAProcessThatCannotProveIt(ScenarioContext context) {
        Setup setup = Setup.on(context);
        Event granted = context.hold(setup.holder());
        setup.holder().send("once 50 forever " + context.exclusive());
        context.await(Kind.REQUESTED, setup.holder(), granted.at());

        Event silent = setup.holdBack(MessageDirection.TO_SERVER, MessageDirection.TO_CLIENT);
        // by then the seat has certainly ended
        context.lastUntil(context.hold(setup.other()), T.dividedBy(10));
        Event released = context.release(setup.holder());
        // long enough to detect a turn on a seat that has ended
        context.lastUntil(released, T.dividedBy(8));
        setup.heal();
        context.release(setup.other());

        Event own = context.await(Kind.GRANTED, setup.holder(), silent.at());
        context.await(Kind.CLOSED, setup.holder(), own.at());
    }

    /** A seat that lingers returns to the process, which the servers do not see. */
    @FaultScenario(value = "S7", grants = 2, handOvers = 1)
    @Variants(policies = {BOUNDED, STRICT})
    public void aReleaseIsToldWhenTheServersHaveSeenIt(ScenarioContext context) {
        Setup setup = Setup.on(context);
        context.hold(setup.holder());

        Event silent = setup.holdBack(MessageDirection.TO_SERVER);
        context.release(setup.holder());
        context.lastUntil(silent, T.dividedBy(8));
        long before = System.nanoTime();
        setup.heal();

        Event seen = context.await(Kind.RELEASE_SEEN, setup.holder(), silent.at());
        assertThat(seen.at() - before)
                .as("nanoseconds by which the servers were before %s", seen)
                .isPositive();
        context.hold(setup.other());
    }

    /** The session ends while its delete is under way, and the node is searched on the next session. (L21) */
    @FaultScenario(value = "S7", grants = 2, handOvers = 1)
    @Variants(policies = {BOUNDED, STRICT})
    public void aReleaseWhoseSessionEndsIsReportedOnTheNextSession(ScenarioContext context) {
        Setup setup = Setup.on(context);
        context.hold(setup.holder());

        Event silent = setup.holdBack(MessageDirection.TO_SERVER);
        context.release(setup.holder());
        context.hold(setup.other());
        setup.heal();

        context.await(Kind.RELEASE_SEEN, setup.holder(), silent.at());
        context.release(setup.other());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 1)
    @Variants(kinds = READ_WRITE)
    public void aDowngradeThatTheServersDidNotHearOfIsMadeAgain(ScenarioContext context) {
        Setup setup = Setup.on(context);
        Event reading = setup.downgradeInto(Interception.at(Phase.BEFORE_SEND, Target.CHANGE));
        // several renewals, which would report a loss for a reader whose seat is still that of a writer
        context.lastUntil(reading, T.dividedBy(2));
        context.release(setup.holder());

        context.awaitTurn(setup.other(), reading.at());
    }

    @FaultScenario(value = "S7", grants = 3, handOvers = 1)
    @Variants(kinds = READ_WRITE)
    public void aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat(ScenarioContext context) {
        Setup setup = Setup.on(context);
        Event reading = setup.downgradeInto(
                Interception.at(Phase.BEFORE_REPLY, Target.CHANGE).doing(() -> context.release(setup.holder())));

        context.awaitTurn(setup.other(), reading.at());
    }
}
