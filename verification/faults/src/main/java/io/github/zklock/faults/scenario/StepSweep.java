package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs a call again and again, with an interception at each of its steps in turn. There is one client for each phase,
 * side by side. After each run, a verifier acquires each lock.
 */
final class StepSweep {

    /** Longer than an eighth of the session timeout, so that at least one renewal comes in between. */
    static final String ACROSS_A_RENEWAL = "500 forever ";

    private static final int NO_SUCH_STEP = Integer.MAX_VALUE;

    private final Map<Phase, InterceptedClient> clients = new EnumMap<>(Phase.class);
    private final ClientProcess verifier;

    private StepSweep(ScenarioContext context, List<Phase> phases) {
        verifier = context.client("verifier");
        for (Phase phase : phases) {
            clients.put(
                    phase,
                    new InterceptedClient(context, phase, context.ensemble().servers()));
        }
        context.awaitReady();
    }

    static StepSweep in(ScenarioContext context, Phase... phases) {
        return new StepSweep(context, List.of(phases));
    }

    Collection<InterceptedClient> clients() {
        return clients.values();
    }

    /** From now on each client uses a lock that was not used before. */
    StepSweep onNewLocks() {
        clients.values().forEach(InterceptedClient::onNewLock);
        return this;
    }

    /** From now on the work of each client throws an Error at its end. */
    StepSweep withErrors() {
        clients.values().forEach(InterceptedClient::withErrors);
        return this;
    }

    /** From now on all clients use this lock. */
    StepSweep on(String lock) {
        clients.values().forEach(client -> client.on(lock));
        return this;
    }

    /**
     * Lets each client acquire its lock, hold it and release it.
     *
     * @param how the end of the command: how long to hold, how to call, and what to acquire
     * @return the largest number of steps
     */
    int undisturbed(String how) {
        acquire(how, client -> client.interceptionAt(NO_SUCH_STEP));
        return finish(client -> assertThat(client.awaitEnd().kind()).isEqualTo(Kind.CLOSED));
    }

    /** Lets each client acquire its lock, with an interception. */
    void acquire(String how, Function<InterceptedClient, Interception> interception) {
        acquireAll(how, client -> List.of(interception.apply(client)));
    }

    /** Lets each client acquire its lock, with several interceptions one after the other. */
    void acquireAll(String how, Function<InterceptedClient, List<Interception>> interceptions) {
        for (InterceptedClient client : clients.values()) {
            client.install(interceptions.apply(client));
            client.acquire(how);
        }
    }

    /**
     * Checks the result of each client, and lets the verifier acquire its lock.
     *
     * @return the largest number of steps
     */
    int finish(Consumer<InterceptedClient> look) {
        clients.values().forEach(look);
        clients.values().forEach(client -> client.assertFree(verifier));
        return clients.values().stream()
                .mapToInt(InterceptedClient::removeInterceptions)
                .max()
                .orElse(0);
    }
}
