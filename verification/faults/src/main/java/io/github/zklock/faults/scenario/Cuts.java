package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ClientProxies;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Connections that are closed at an exact step of acquiring, holding and releasing a lock. */
public class Cuts {

    private static final String HELD_SHORTLY = "50 forever ";
    private static final int STEPS_OF_A_LOOKUP = 4;
    private static final int CUTS_IN_A_ROW = 3;
    private static final int ATTEMPTS = 10;

    @FaultScenario(value = "S7", tier = Tier.SMOKE, grants = 20, handOvers = 10, faults = 12, peers = true)
    public void aCutAtAnyStepLeavesNoSeatAndGrantsNothingTwice(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.values());
        String call = StepSweep.ACROSS_A_RENEWAL + context.variant().kind().exclusive();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().acquire(call, client -> client.interceptionAt(number));
            steps.finish(Cuts::assertClosed);
        }
        // the number of renewals varies, and with it the number of this step
        steps.onNewLocks().acquire(call, client -> Interception.at(client.phase(), Target.DELETE));
        steps.finish(Cuts::assertClosed);

        assertCutFromFirstToLast(context, steps);
        if (isOurs(context)) {
            // which of the steps above is a renewal varies, too
            steps.onNewLocks().acquire(call, client -> Interception.at(client.phase(), Target.CHECK));
            steps.finish(Cuts::assertClosed);
            assertThat(steps.clients())
                    .allSatisfy(client ->
                            assertThat(cutOff(context, client)).anyMatch(request -> request.startsWith("multi")));
        }
    }

    @FaultScenario(value = "S7", grants = 60, handOvers = 20, faults = 12, peers = true)
    public void aCutAtAnyStepAmongContendersLeavesNoSeatAndGrantsNothingTwice(ScenarioContext context) {
        ClientProcess rival = context.client("rival", context.ensemble().connectStringWithout());
        StepSweep steps = StepSweep.in(context, Phase.values()).onNewLocks();
        List<String> specs = context.variant().kind().contending();
        for (InterceptedClient client : steps.clients()) {
            specs.forEach(spec -> rival.send("loop 1 150 forever " + spec + "@" + client.lock()));
        }

        int count = steps.undisturbed(StepSweep.ACROSS_A_RENEWAL + specs.get(0));
        for (int step = 0; step < count; step++) {
            int number = step;
            String spec = specs.get(step % specs.size());
            steps.acquire(StepSweep.ACROSS_A_RENEWAL + spec, client -> client.interceptionAt(number));
            steps.finish(Cuts::assertClosed);
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
        steps.undisturbed(HELD_SHORTLY + context.variant().kind().exclusive());

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
                        .as("cuts in a row, the first of them %s", client.phase())
                        .isEqualTo(CUTS_IN_A_ROW));
    }

    /** Makes the first cut in the client's own phase; all further cuts are the same for all clients. */
    private static void cut(
            ScenarioContext context, StepSweep steps, Target first, Supplier<List<Interception>> others) {
        steps.acquireAll(HELD_SHORTLY + context.variant().kind().exclusive(), client -> {
            List<Interception> interceptions = new ArrayList<>(List.of(Interception.at(client.phase(), first)));
            interceptions.addAll(others.get());
            return interceptions;
        });
        steps.finish(Cuts::assertClosed);
    }

    /**
     * Cuts each client at this message, in its own phase if the message has several. Whether and where the message
     * occurs depends on the other clients: a client without a predecessor waits for nothing. Therefore all clients try
     * until each was cut.
     */
    private static void cutAllAt(ScenarioContext context, StepSweep steps, Target what) {
        List<String> specs = context.variant().kind().contending();
        long begun = System.nanoTime();
        for (int attempt = 0; attempt < ATTEMPTS && !areCutOff(context, steps, begun); attempt++) {
            steps.acquire(
                    HELD_SHORTLY + specs.get(attempt % specs.size()),
                    client -> Interception.at(what == Target.EVENT ? Phase.BEFORE_REPLY : client.phase(), what));
            steps.finish(Cuts::assertClosed);
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
            assertThat(cutOff(context, client))
                    .as("what was cut off %s", client.phase())
                    .anyMatch(request -> request.startsWith("create"))
                    .contains("delete");
        }
    }

    /** Returns the requests at which the client was cut. */
    private static Set<String> cutOff(ScenarioContext context, InterceptedClient client) {
        return cutOff(context, client, 0);
    }

    /** Returns the requests at which the client was cut after an instant. */
    private static Set<String> cutOff(ScenarioContext context, InterceptedClient client, long since) {
        return context.timeline().events().stream()
                .filter(event ->
                        event.is(Kind.DISCONNECTED, ClientProxies.sourceOf(client.process())) && event.at() > since)
                .map(event -> event.text("request"))
                .collect(Collectors.toSet());
    }

    private static boolean isOurs(ScenarioContext context) {
        return Timeline.OURS.equals(context.variant().engine());
    }
}
