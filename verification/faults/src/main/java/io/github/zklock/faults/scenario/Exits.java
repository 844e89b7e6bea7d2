package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.List;
import java.util.OptionalLong;

/** Processes that receive SIGTERM, as from a container platform, while their threads work under locks. */
public class Exits {

    private static final List<String> LOCKS = List.of(LockSpec.USUAL_LOCK, "second", "third");
    private static final int LONG_MILLIS = 60_000;

    /** How long another shutdown hook of the process takes: threads continue until the last hook has ended. */
    private static final int HOOK_MILLIS = 1_500;

    /**
     * The threads of a JVM continue while its shutdown hooks run, so a lock that such a hook releases is in use. (M31)
     */
    @FaultScenario(value = "M31", grants = 6, handOvers = 3, faults = 1)
    public void aProcessThatIsAskedToEndKeepsTheLocksOfThreadsThatGoOn(ScenarioContext context)
            throws InterruptedException {
        askToEnd(context, ClientOptions.withOptions("-Dfaults.slow-exit=" + HOOK_MILLIS));
    }

    private static void askToEnd(ScenarioContext context, ClientOptions options) throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        String exclusive = context.variant().kind().exclusive();
        ClientProcess working = context.client("working", servers, options);
        ClientProcess other = context.client("other", servers);
        context.awaitReady();
        for (String lock : LOCKS) {
            working.send("once " + LONG_MILLIS + " forever " + exclusive + "@" + lock);
        }
        context.queues().awaitSeats(LOCKS.size());
        for (String lock : LOCKS) {
            awaitGrant(context, working, lock, 0);
            other.send("once 50 forever " + exclusive + "@" + lock);
        }
        context.queues().awaitSeats(2 * LOCKS.size());

        Event ended = context.terminate(working);

        for (String lock : LOCKS) {
            Event granted = awaitGrant(context, other, lock, ended.at());
            lastWork(context, working, lock)
                    .ifPresent(last -> assertThat((granted.at() - last) / 1_000_000)
                            .as(
                                    "K1: milliseconds from the last work of a thread of %s under %s to the next grant, %s",
                                    working.name(), lock, granted)
                            .isNotNegative());
        }
    }

    private static Event awaitGrant(ScenarioContext context, ClientProcess client, String lock, long after) {
        return context.timeline()
                .await(
                        "a grant of " + lock + " to " + client.name(),
                        after,
                        event -> event.is(Kind.GRANTED, client.name())
                                && LockSpec.parse(event.text("spec")).lock().equals(lock));
    }

    /** Returns when a thread last asked its handle without having released the lock. */
    private static OptionalLong lastWork(ScenarioContext context, ClientProcess client, String lock) {
        return context.timeline().holds().stream()
                .filter(hold -> hold.source().equals(client.name())
                        && hold.spec().lock().equals(lock)
                        && hold.releasingAt().isEmpty())
                .flatMapToLong(hold -> hold.samples().stream().mapToLong(sample -> sample.before()))
                .max();
    }
}
