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
 * The steps of a call, at each of which something happens: to one client for each phase of a step, side by side. A judge
 * takes each lock afterwards.
 */
final class StepSweep {

    /** Held for longer than an eighth of the session timeout: at least one renewal comes in between. */
    static final String ACROSS_A_RENEWAL = "500 forever ";

    private static final int NO_SUCH_STEP = Integer.MAX_VALUE;

    private final Map<Phase, InterceptedClient> clients = new EnumMap<>(Phase.class);
    private final ClientProcess verifier;

    private StepSweep(ScenarioContext context, List<Phase> phases) {
        verifier = context.client("verifier", context.ensemble().connectStringWithout());
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

    /** From here on each client is about a lock that nobody has used before. */
    StepSweep onNewLocks() {
        clients.values().forEach(InterceptedClient::onNewLock);
        return this;
    }

    /** From here on the work of each client throws an Error once it has held its lock. */
    StepSweep withErrors() {
        clients.values().forEach(InterceptedClient::withErrors);
        return this;
    }

    /** From here on all clients are about this lock. */
    StepSweep on(String lock) {
        clients.values().forEach(client -> client.on(lock));
        return this;
    }

    /**
     * Lets each client ask for its lock, hold it and give it back.
     *
     * @param how the end of the order: how long it is held, how it is asked for, what it is
     * @return how many steps that took at most
     */
    int undisturbed(String how) {
        ask(how, client -> client.interceptionAt(NO_SUCH_STEP));
        return finish(client -> assertThat(client.awaitEnd().kind()).isEqualTo(Kind.CLOSED));
    }

    /** Lets each client ask for its lock, with what waits for it on the way. */
    void ask(String how, Function<InterceptedClient, Interception> interception) {
        askAll(how, client -> List.of(interception.apply(client)));
    }

    /** The same with several things that wait for it, one after the other. */
    void askAll(String how, Function<InterceptedClient, List<Interception>> interceptions) {
        for (InterceptedClient client : clients.values()) {
            client.install(interceptions.apply(client));
            client.ask(how);
        }
    }

    /**
     * Looks at what became of each client, and lets the judge take its lock.
     *
     * @return how many steps there were at most
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
