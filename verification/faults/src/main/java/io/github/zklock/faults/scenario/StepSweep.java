package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

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

    /** A client behind an intercepting proxy, which acquires a lock again and again, each time with other interceptions. */
    static final class InterceptedClient {

        private static final Duration SOON = Duration.ofSeconds(2);

        private final ScenarioContext context;
        final Phase phase;
        final ClientProcess process;
        private final InterceptingProxy proxy;

        private String command = "once ";
        private int locks;
        private String lock;
        private List<Interception> interceptions = List.of();
        private int mostTriggered;
        // actions of interceptions run on a thread of the proxy
        private volatile long calledAt;

        /**
         * Starts the client.
         *
         * @param phase the phase of its interceptions, and its name
         * @param servers the servers that it can reach
         */
        InterceptedClient(ScenarioContext context, Phase phase, List<ServerProcess> servers) {
            String name = phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
            this.context = context;
            this.phase = phase;
            this.lock = name;
            this.proxy = context.proxy(name, servers);
            this.process = context.client(name, proxy.connectString());
        }

        String lock() {
            return lock;
        }

        void on(String name) {
            lock = name;
        }

        void onNewLock() {
            lock = process.name() + "." + ++locks;
        }

        /** From now on the work of the client throws an Error at its end. */
        void withErrors() {
            command = "once-failing ";
        }

        /** Returns a cut at the step with this number, counted from the first request for the current lock. */
        Interception interceptionAt(int step) {
            return Interception.at(phase, Target.ANY, step).since("/" + lock);
        }

        /** Installs interceptions, and removes those installed before. */
        void install(List<Interception> next) {
            interceptions = next;
            proxy.install(next);
        }

        /** Waits until the first interception has triggered and its action has ended; returns false after two seconds. */
        boolean awaitTriggered() {
            return interceptions.get(0).awaitTriggered(SOON);
        }

        /** Returns the largest number of interceptions, of those installed together, that have triggered. */
        int mostTriggered() {
            return mostTriggered;
        }

        /** Removes the interceptions, and returns how many steps the first one has counted. */
        int removeInterceptions() {
            mostTriggered = Math.max(mostTriggered, (int)
                    interceptions.stream().filter(Interception::isTriggered).count());
            proxy.heal();
            interceptions.forEach(Interception::check);
            return interceptions.isEmpty() ? 0 : interceptions.get(0).seen();
        }

        /**
         * Lets the client acquire its lock.
         *
         * @param how how long to hold it, how to call, and what to acquire
         */
        void acquire(String how) {
            calledAt = System.nanoTime();
            process.send(command + how + "@" + lock);
        }

        /** Returns an instant before the last call. */
        long calledAt() {
            return calledAt;
        }

        /** Waits until the call has ended in any way. */
        Event awaitEnd() {
            return awaitFirst(kind -> kind == Kind.CLOSED || (kind != Kind.GRANTED && kind.isAnswer()));
        }

        /** Waits until the call has been granted or rejected in any way. */
        Event awaitAnswer() {
            return awaitFirst(Kind::isAnswer);
        }

        private Event awaitFirst(Predicate<Kind> like) {
            return context.await(
                    "the outcome of a request by " + process.name() + " for " + lock + " with " + interceptions,
                    calledAt,
                    event -> event.source().equals(process.name()) && like.test(event.kind()));
        }

        /** Lets another client acquire the lock exclusively, which shows that nothing is left in its queue. */
        void assertFree(ClientProcess verifier) {
            long now = System.nanoTime();
            String spec = context.exclusive() + "@" + lock;
            verifier.send("once 0 forever " + spec);
            context.await(
                    "a grant of " + spec + " to the " + verifier.name() + " after " + interceptions,
                    now,
                    event -> event.is(Kind.GRANTED, verifier.name())
                            && event.text("spec").equals(spec));
        }
    }
}
