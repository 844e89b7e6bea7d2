package io.github.zklock.faults.scenario;

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
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A client whose way to the servers is listened to, and what it is put through, again and again. */
final class InterceptedClient {

    private static final Duration SOON = Duration.ofSeconds(2);

    private final ScenarioContext context;
    private final Phase phase;
    private final InterceptingProxy proxy;
    private final ClientProcess process;

    private String command = "once ";
    private int locks;
    private String lock;
    private List<Interception> interceptions = List.of();
    private int mostTriggered;
    // what happens in a trap happens on a thread of the wiretap
    private volatile long asked;

    /**
     * Starts the client.
     *
     * @param phase the one that it is there for, and called after
     * @param servers those that it can reach
     */
    InterceptedClient(ScenarioContext context, Phase phase, List<ServerProcess> servers) {
        String name = phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.context = context;
        this.phase = phase;
        this.lock = name;
        this.proxy = context.proxy(name, servers);
        this.process = context.client(name, proxy.connectString());
    }

    Phase phase() {
        return phase;
    }

    ClientProcess process() {
        return process;
    }

    /** The name of the lock that it is about. */
    String lock() {
        return lock;
    }

    void on(String name) {
        lock = name;
    }

    void onNewLock() {
        lock = process.name() + "." + ++locks;
    }

    /** From here on its work throws an Error once it has held its lock. */
    void withErrors() {
        command = "once-failing ";
    }

    /** A cut at the step with this number, counted from the first one that is about the lock. */
    Interception interceptionAt(int step) {
        return Interception.at(phase, Target.ANY, step).since("/" + lock);
    }

    /** Takes those traps away that there are. */
    void install(List<Interception> next) {
        interceptions = next;
        proxy.install(next);
    }

    /** Waits until the first trap has sprung, and what it does is done; false if that does not come soon. */
    boolean awaitTriggered() throws InterruptedException {
        return interceptions.get(0).awaitTriggered(SOON);
    }

    /** How many of the traps that were laid together have sprung, at most. */
    int mostTriggered() {
        return mostTriggered;
    }

    /** Takes the traps away; says how many steps the first one has counted. */
    int removeInterceptions() {
        mostTriggered = Math.max(mostTriggered, (int)
                interceptions.stream().filter(Interception::isTriggered).count());
        proxy.heal();
        interceptions.forEach(Interception::check);
        return interceptions.isEmpty() ? 0 : interceptions.get(0).seen();
    }

    /**
     * Lets it ask for its lock.
     *
     * @param how how long to hold it, how to ask for it, what it is
     */
    void ask(String how) {
        asked = System.nanoTime();
        process.send(command + how + "@" + lock);
    }

    /** Before it was last asked. */
    long asked() {
        return asked;
    }

    /** Waits until what was asked for has ended, one way or another. */
    Event awaitEnd() {
        return awaitFirst(kind -> kind == Kind.CLOSED || (kind != Kind.GRANTED && kind.isAnswer()));
    }

    /** Waits until what was asked for has been granted, or refused in one way or another. */
    Event awaitAnswer() {
        return awaitFirst(Kind::isAnswer);
    }

    private Event awaitFirst(Predicate<Kind> like) {
        return context.timeline()
                .await(
                        "what comes of a request by " + process.name() + " for " + lock + " with " + interceptions,
                        asked,
                        event -> event.source().equals(process.name()) && like.test(event.kind()));
    }

    /** Lets somebody else take the lock alone: whatever stood in its queue has gone. */
    void assertFree(ClientProcess verifier) {
        long now = System.nanoTime();
        String spec = context.variant().kind().exclusive() + "@" + lock;
        verifier.send("once 0 forever " + spec);
        context.timeline()
                .await(
                        "a grant of " + spec + " to the " + verifier.name() + " after " + interceptions,
                        now,
                        event -> event.is(Kind.GRANTED, verifier.name())
                                && event.text("spec").equals(spec));
    }
}
