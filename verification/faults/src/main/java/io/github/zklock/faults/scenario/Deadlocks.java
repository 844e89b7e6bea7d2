package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes of which each holds a lock and waits for the lock of the next one, in a circle. */
@Variants(surfaces = REGISTRY)
public class Deadlocks {

    private static final ClientOptions REJECTING = ClientOptions.withOptions("-Dfaults.on-deadlock=fail");

    /** The time from the first lock to the second one, in which all processes acquire their first lock. */
    private static final Duration UNTIL_NESTED = Duration.ofSeconds(1);

    /** More than the engine waits before it publishes a request that has to wait. */
    private static final Duration PUBLISHED = Duration.ofMillis(2_500);

    /** More than the engine needs until it reports a deadlock. */
    private static final Duration REPORTED = Duration.ofSeconds(9);

    /** The connections break while the processes search, so publications are repeated. */
    @FaultScenario(value = "S34", grants = 5, faults = 3)
    public void aCircleOfThreeProcessesEndsByTheRequestThatBeganLast(ScenarioContext context) {
        List<InterceptingProxy> proxies = new ArrayList<>();
        List<ClientProcess> processes = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            InterceptingProxy proxy =
                    context.proxy("process-" + number, context.ensemble().servers());
            proxies.add(proxy);
            processes.add(context.client("process-" + number, proxy.connectString(), REJECTING));
        }
        context.awaitReady();
        Event youngest = nest(context, processes, "forever");
        ClientProcess last = processes.get(processes.size() - 1);

        context.lastUntil(youngest, PUBLISHED);
        for (int number = 0; number < proxies.size(); number++) {
            context.note(ScenarioContext.proxyOf(processes.get(number).name()), Kind.DISCONNECTED);
            proxies.get(number).cut();
        }
        Event rejected = context.await(Kind.REFUSED, last, youngest.at());
        processes.forEach(process -> context.await(Kind.CLOSED, process, rejected.at()));

        // the circle may end before the other processes have found it
        assertThat(context.timeline().events(Kind.DEADLOCK))
                .as("reports, at most one of each process")
                .allMatch(report -> report.flag("rejected") == report.source().equals(last.name()))
                .extracting(Event::source)
                .doesNotHaveDuplicates()
                .contains(last.name());
        assertThat(context.count(event -> event.is(Kind.REFUSED)))
                .as("rejected requests")
                .isEqualTo(1);
    }

    @FaultScenario(value = "S34", tier = Tier.ALL, grants = 2)
    public void aDeadlockIsReportedByEachOfItsProcesses(ScenarioContext context) {
        List<ClientProcess> processes = context.clients(ClientOptions.DEFAULT, "process-0", "process-1");
        Event youngest =
                nest(context, processes, "acquire-" + REPORTED.multipliedBy(2).toMillis());

        context.slowDisk(context.ensemble().follower(), Duration.ofMillis(100));
        context.lastUntil(youngest, REPORTED);
        context.heal();

        assertThat(context.timeline().events(Kind.DEADLOCK))
                .as("reports of two processes")
                .hasSize(processes.size())
                .allMatch(report -> !report.flag("rejected"))
                .allMatch(report -> processes.stream()
                        .allMatch(process -> report.text("circle").contains(process.name())));
        processes.forEach(process -> context.await(Kind.CLOSED, process, youngest.at()));
    }

    /** The circle exists for less time than a search needs, because the servers end the session of a paused process. */
    @FaultScenario(value = "S34", grants = 4, handOvers = 1, losses = 1)
    public void aCircleThatEndsByTheLossOfALockIsNoDeadlock(ScenarioContext context) {
        List<ClientProcess> processes = context.clients(REJECTING, "process-0", "process-1");
        Event youngest = nest(context, processes, "forever");
        ClientProcess paused = processes.get(1);

        context.lastUntil(youngest, PUBLISHED);
        Event silent = context.pause(paused);
        Event granted = context.await(Kind.GRANTED, processes.get(0), silent.at());
        context.await(Kind.CLOSED, processes.get(0), granted.at());
        context.lastUntil(silent, T.multipliedBy(2));
        Event resumed = context.resume(paused);
        context.await(Kind.GRANTED, paused, resumed.at());
        context.lastUntil(resumed, T);

        assertThat(context.timeline().events(Kind.DEADLOCK))
                .as("reports of a deadlock")
                .isEmpty();
    }

    /**
     * Lets each process acquire a lock, and then request the lock of the next one.
     *
     * @return the request of the last process, which begins last
     */
    private static Event nest(ScenarioContext context, List<ClientProcess> processes, String how) {
        String spec = context.exclusive() + "@circle-";
        List<Event> held = new ArrayList<>();
        for (int number = 0; number < processes.size(); number++) {
            String inner = how + " " + spec + (number + 1) % processes.size();
            String command = "nest %d %s%d %s".formatted(UNTIL_NESTED.toMillis(), spec, number, inner);
            held.add(context.send(processes.get(number), command, Kind.GRANTED));
        }
        Event youngest = held.get(0);
        for (int number = 0; number < processes.size(); number++) {
            youngest = context.await(
                    Kind.REQUESTED, processes.get(number), held.get(number).at());
        }
        return youngest;
    }
}
