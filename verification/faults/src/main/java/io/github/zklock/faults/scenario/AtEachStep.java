package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Surface.FUTURE;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.scenario.StepSweep.InterceptedClient;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Connections that are closed, deadlines that pass, registries that close, interrupts and errors at each step of acquiring,
 * holding and releasing a lock.
 */
public class AtEachStep {

    private static final String HELD_SHORTLY = "50 forever ";
    private static final int STEPS_OF_A_LOOKUP = 4;
    private static final int CUTS_IN_A_ROW = 3;
    private static final int ATTEMPTS = 10;
    private static final Duration WAIT = Duration.ofMillis(700);
    private static final String SHORTLY = "50 ";
    // all steps before a grant, and a few more
    private static final int STEPS = 10;
    private static final int FEWEST_STEPS_OF_A_WAIT = 3;
    // more steps than it takes to join a queue: the steps after that are renewals
    private static final int STEPS_INTO_A_QUEUE = 10;
    private static final String FAILED = "error";
    private static final List<String> WAYS = List.of("forever", "acquire-30000", "try-30000");

    @FaultScenario(value = "S7", tier = Tier.SMOKE, grants = 20, handOvers = 10, faults = 12, peers = true)
    public void aCutAtAnyStepLeavesNoSeatAndGrantsNothingTwice(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.values());
        String call = StepSweep.ACROSS_A_RENEWAL + context.exclusive();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().acquire(call, client -> client.interceptionAt(number));
            steps.finish(AtEachStep::assertClosed);
        }
        // the number of renewals varies, and with it the number of this step
        steps.onNewLocks().acquire(call, client -> Interception.at(client.phase, Target.DELETE));
        steps.finish(AtEachStep::assertClosed);

        assertCutFromFirstToLast(context, steps);
        if (context.variant().engine().equals(Timeline.OURS)) {
            // which of the steps above is a renewal varies, too
            steps.onNewLocks().acquire(call, client -> Interception.at(client.phase, Target.CHECK));
            steps.finish(AtEachStep::assertClosed);
            assertThat(steps.clients())
                    .allSatisfy(client ->
                            assertThat(cutOff(context, client, 0)).anyMatch(request -> request.startsWith("multi")));
        }
    }

    @FaultScenario(value = "S7", grants = 60, handOvers = 20, faults = 12, peers = true)
    public void aCutAtAnyStepAmongContendersLeavesNoSeatAndGrantsNothingTwice(ScenarioContext context) {
        ClientProcess rival = context.client("rival");
        StepSweep steps = StepSweep.in(context, Phase.values()).onNewLocks();
        List<String> specs = context.contending();
        for (InterceptedClient client : steps.clients()) {
            specs.forEach(spec -> rival.send("loop 1 150 forever " + spec + "@" + client.lock()));
        }

        int count = steps.undisturbed(StepSweep.ACROSS_A_RENEWAL + specs.get(0));
        for (int step = 0; step < count; step++) {
            int number = step;
            String spec = specs.get(step % specs.size());
            steps.acquire(StepSweep.ACROSS_A_RENEWAL + spec, client -> client.interceptionAt(number));
            steps.finish(AtEachStep::assertClosed);
        }
        // a waiter for permits watches the folder, and reads no seat
        if (context.variant().kind() != Variant.Kind.SEMAPHORE) {
            cutAllAt(context, steps, Target.READ);
        }
        cutAllAt(context, steps, Target.EVENT);
        cutAllAt(context, steps, Target.DELETE);

        assertCutFromFirstToLast(context, steps);
    }

    /**
     * The second cut comes during the recovery from the first one, the third during the recovery from the second. (L3)
     */
    @FaultScenario(value = "S8", tier = Tier.ALL, grants = 100, handOvers = 50, faults = 100, peers = true)
    public void severalCutsInARowLeaveNoSeatAndGrantNothingTwice(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.values()).onNewLocks();
        // the folder exists: its first create is that of the seat
        steps.undisturbed(HELD_SHORTLY + context.exclusive());

        for (Target first : List.of(Target.CREATE, Target.DELETE)) {
            // AFTER_SEND is left out: for the client it is the same as BEFORE_REPLY
            for (Phase next : List.of(Phase.BEFORE_SEND, Phase.BEFORE_REPLY)) {
                for (int step = 0; step < (first == Target.CREATE ? STEPS_OF_A_LOOKUP : 1); step++) {
                    int number = step;
                    cut(context, steps, first, () -> List.of(Interception.at(next, Target.ANY, number)));
                }
                cut(
                        context,
                        steps,
                        first,
                        () -> List.of(Interception.at(next, Target.ANY), Interception.at(next, Target.ANY)));
                cut(
                        context,
                        steps,
                        first,
                        () -> List.of(Interception.at(next, Target.CONNECT), Interception.at(next, Target.ANY)));
            }
        }

        assertThat(steps.clients())
                .allSatisfy(client -> assertThat(client.mostTriggered())
                        .as("cuts in a row, the first of them %s", client.phase)
                        .isEqualTo(CUTS_IN_A_ROW));
    }

    /** Makes the first cut in the client's own phase; all further cuts are the same for all clients. */
    private static void cut(
            ScenarioContext context, StepSweep steps, Target first, Supplier<List<Interception>> others) {
        steps.acquireAll(HELD_SHORTLY + context.exclusive(), client -> {
            List<Interception> interceptions = new ArrayList<>(List.of(Interception.at(client.phase, first)));
            interceptions.addAll(others.get());
            return interceptions;
        });
        steps.finish(AtEachStep::assertClosed);
    }

    /**
     * Cuts each client at this message, in its own phase if the message has several. Whether and where the message
     * occurs depends on the other clients: a client without a predecessor waits for nothing. Therefore all clients try
     * until each was cut.
     */
    private static void cutAllAt(ScenarioContext context, StepSweep steps, Target what) {
        List<String> specs = context.contending();
        long begun = System.nanoTime();
        for (int attempt = 0; attempt < ATTEMPTS && !areCutOff(context, steps, begun); attempt++) {
            steps.acquire(
                    HELD_SHORTLY + specs.get(attempt % specs.size()),
                    client -> Interception.at(what == Target.EVENT ? Phase.BEFORE_REPLY : client.phase, what));
            steps.finish(AtEachStep::assertClosed);
        }
        assertThat(areCutOff(context, steps, begun))
                .as("whether all were cut off at %s within %d attempts", what, ATTEMPTS)
                .isTrue();
    }

    private static boolean areCutOff(ScenarioContext context, StepSweep steps, long since) {
        return steps.clients().stream()
                .noneMatch(client -> cutOff(context, client, since).isEmpty());
    }

    private static void assertClosed(InterceptedClient client) {
        assertThat(client.awaitEnd().kind()).isEqualTo(Kind.CLOSED);
    }

    private static void assertCutFromFirstToLast(ScenarioContext context, StepSweep steps) {
        for (InterceptedClient client : steps.clients()) {
            assertThat(cutOff(context, client, 0))
                    .as("what was cut off %s", client.phase)
                    .anyMatch(request -> request.startsWith("create"))
                    .contains("delete");
        }
    }

    /** Returns the requests at which the client was cut after an instant. */
    private static Set<String> cutOff(ScenarioContext context, InterceptedClient client, long since) {
        return context.timeline().events().stream()
                .filter(event -> event.is(Kind.DISCONNECTED, ScenarioContext.proxyOf(client.process.name()))
                        && event.at() > since)
                .map(event -> event.text("request"))
                .collect(Collectors.toSet());
    }

    /** The lock is free: the call must end with the lock, or report that the servers were unavailable. */
    @FaultScenario(value = "S9", grants = 8, handOvers = 4, faults = 8, peers = true)
    public void aDeadlineIsKeptAtAnyStepAndNoSeatIsLeft(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.exclusive();

        List<Kind> ends = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            String how = (step % 2 == 0 ? "acquire-" : "try-") + WAIT.toMillis() + " ";
            steps.onNewLocks()
                    .acquire(
                            SHORTLY + how + spec,
                            client -> client.interceptionAt(number).doing(() -> client.awaitAnswer()));
            steps.finish(client -> ends.add(endOf(client)));
            // a connection that was held back for long delays the next grant
            steps.onNewLocks().undisturbed(SHORTLY + "forever " + spec);
        }

        assertThat(ends)
                .as("ends of waits that the servers did not answer")
                .filteredOn(Kind.UNAVAILABLE::equals)
                .hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
    }

    @FaultScenario(value = "S9", grants = 8, handOvers = 4, faults = 8)
    @Variants(surfaces = {REGISTRY, FUTURE})
    public void aRegistryThatIsClosedAtAnyStepRefusesThoseWhoWait(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.exclusive();

        Set<Event> refusals = ConcurrentHashMap.newKeySet();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            Set<InterceptedClient> closing = ConcurrentHashMap.newKeySet();
            steps.onNewLocks()
                    .acquire(
                            SHORTLY + "forever " + spec,
                            client -> client.interceptionAt(number).doing(() -> closeUnder(context, client, closing)));
            steps.finish(client -> {
                Event end = client.awaitEnd();
                if (closing.contains(client)) {
                    assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.REFUSED);
                    refusals.add(end);
                }
            });
            for (InterceptedClient client : closing) {
                Event shut = context.await(Kind.REGISTRY_CLOSED, client.process, client.calledAt());
                client.process.send("open");
                context.await(Kind.READY, client.process, shut.at());
            }
        }

        assertThat(refusals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
    }

    /** K9 judges how late the answer may be. */
    private static Kind endOf(InterceptedClient client) {
        Event end = client.awaitAnswer();
        if (end.is(Kind.GRANTED)) {
            client.awaitEnd();
        } else {
            assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.UNAVAILABLE);
        }
        return end.kind();
    }

    /** Closes the registry unless the lock is granted already: closes under holders have scenarios of their own. */
    private static void closeUnder(ScenarioContext context, InterceptedClient client, Set<InterceptedClient> closing) {
        boolean granted = context.timeline().has(Kind.GRANTED, client.process.name(), client.calledAt());
        if (!granted) {
            closing.add(client);
            client.process.send("close");
            client.awaitAnswer();
        }
    }

    /** A request or its reply is held back until the interrupt. (L11) */
    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8, peers = true)
    public void anInterruptAtAnyStepEndsAWaitAndNotARelease(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String call = StepSweep.ACROSS_A_RENEWAL + context.exclusive();

        List<Kind> ends = new ArrayList<>();
        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks()
                    .acquire(call, client -> client.interceptionAt(number).doing(() -> interrupt(context, client)));
            steps.finish(client -> ends.add(endOfInterrupted(context, client).kind()));
        }

        assertThat(ends).filteredOn(Kind.INTERRUPTED::equals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
        assertThat(ends).contains(Kind.CLOSED);
    }

    @FaultScenario(value = "S9", grants = 20, handOvers = 10, faults = 2 * STEPS_INTO_A_QUEUE - 2, peers = true)
    public void anInterruptAtAnyStepIntoAQueueLetsTheOthersPass(ScenarioContext context) {
        ClientProcess holder = context.client("holder");
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.exclusive();

        for (int step = 0; step < STEPS_INTO_A_QUEUE; step++) {
            int number = step;
            String lock = "queue." + step;
            context.hold(holder, spec + "@" + lock);
            steps.clients().forEach(client -> client.on(lock));
            steps.acquire(
                    StepSweep.ACROSS_A_RENEWAL + spec,
                    client -> client.interceptionAt(number).doing(() -> interrupt(context, client)));
            for (InterceptedClient client : steps.clients()) {
                if (!client.awaitTriggered()) {
                    // other libraries send nothing while they wait; for ours, the least number of faults shows that the
                    // interception triggered
                    interrupt(context, client);
                }
                Event end = endOfInterrupted(context, client);
                assertThat(end.kind())
                        .as("%s, which was not granted the lock", end)
                        .isEqualTo(Kind.INTERRUPTED);
            }
            context.release(holder);
            steps.finish(client -> {});
        }
    }

    private static void interrupt(ScenarioContext context, InterceptedClient client) {
        long now = System.nanoTime();
        client.process.send("interrupt");
        context.await(Kind.INTERRUPTING, client.process, now);
    }

    /**
     * Checks the end of an interrupted call: a wait ends with an exception and a cleared flag; a hold ends in the
     * regular way and keeps the flag.
     */
    private static Event endOfInterrupted(ScenarioContext context, InterceptedClient client) {
        Event end = client.awaitEnd();
        if (end.is(Kind.INTERRUPTED)) {
            assertThat(end.text("flag")).as("flag after %s", end).isEqualTo("false");
            return end;
        }
        assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
        Event releasing = context.await(Kind.RELEASING, client.process, client.calledAt());
        boolean before = context.count(event -> event.is(Kind.INTERRUPTING, client.process.name())
                        // a renewal before the call may have caused an interrupt of no call
                        && !event.text("callNumbers").isEmpty()
                        && event.at() > client.calledAt()
                        && event.at() < releasing.at())
                > 0;
        if (before) {
            assertThat(end.text("interrupted")).as("flag after %s", end).isEqualTo("true");
        }
        return end;
    }

    /** Work throws an Error under its lock: its caller receives this Error, and the lock is released. (L19) */
    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8)
    public void anErrorUnderALockReachesItsCallerAtWhateverStepTheClientIsCutOff(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        steps.clients().forEach(InterceptedClient::withErrors);
        String call = "100 forever " + context.exclusive();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().acquire(call, client -> client.interceptionAt(number));
            steps.finish(client -> {
                Event end = client.awaitEnd();
                assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
                assertThat(end.text("result")).as(end.toString()).isEqualTo(FAILED);
            });
        }
    }

    @FaultScenario(value = "S9", grants = 9, handOvers = 3, faults = 0)
    public void anErrorUnderALockLetsThoseBehindItPass(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        String exclusive = context.exclusive();

        for (String how : WAYS) {
            Event granted = fail(context, holder, "500 " + how + " " + exclusive);
            // a waiter of the same process, which has the seat, and one of another process
            holder.send("once 0 forever " + exclusive);
            clients.first().send("once 0 forever " + exclusive);

            assertThat(context.awaitEndOf(granted).text("result")).isEqualTo(FAILED);
            context.await(Kind.GRANTED, holder, granted.at());
            context.await(Kind.GRANTED, clients.first(), granted.at());
        }
        context.queues().awaitNoSeats();
    }

    @FaultScenario(value = "S9", grants = 5, handOvers = 2, losses = 1)
    public void anErrorAfterALossIsNotHiddenByItAndHidesItNot(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        Event granted = fail(context, holder, "600000 forever " + context.exclusive());

        Event resumed = context.pauseFor(holder, T.multipliedBy(2));
        context.await(Kind.LOST, holder, resumed.at());
        holder.send("interrupt");
        Event end = context.awaitEndOf(granted);

        assertThat(end.text("result")).isEqualTo("lost");
        assertThat(end.text("message")).isEqualTo("made_by_the_work");
        clients.awaitGrants(resumed);
        context.hold(holder);
        context.release(holder, "ok");
    }

    private static Event fail(ScenarioContext context, ClientProcess client, String call) {
        return context.send(client, "once-failing " + call, Kind.GRANTED);
    }

    /** A session that its client gave up during an outage continues for a while, with its seat. (M2, L21) */
    @FaultScenario(value = "S5", grants = 3, handOvers = 1, losses = 1, faults = 4, peers = true)
    public void aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost(ScenarioContext context) {
        ClientProcess verifier = context.client("verifier");
        InterceptedClient client = new InterceptedClient(
                context, Phase.BEFORE_REPLY, context.ensemble().servers());
        context.awaitReady();
        String spec = context.exclusive();
        Event held = context.hold(client.process, spec + "@" + client.lock());

        context.ensemble().servers().forEach(context::kill);
        context.await(Kind.LOST, client.process, held.at());
        context.release(client.process);
        client.install(
                List.of(Interception.at(Phase.BEFORE_REPLY, Target.CREATE).since("/" + client.lock())));
        client.acquire(HELD_SHORTLY + spec);
        context.heal();

        assertThat(client.awaitEnd().kind()).isEqualTo(Kind.CLOSED);
        client.assertFree(verifier);
        client.removeInterceptions();
    }
}
