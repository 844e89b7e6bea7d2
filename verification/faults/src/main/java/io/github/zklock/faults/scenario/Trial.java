package io.github.zklock.faults.scenario;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A client whose way to the servers is listened to, and what it is put through, again and again. */
final class Trial {

    private static final Duration SOON = Duration.ofSeconds(2);

    private final Stage stage;
    private final Phase phase;
    private final Wiretap tap;
    private final ClientProcess client;

    private String order = "once ";
    private int locks;
    private String lock;
    private List<Trap> traps = List.of();
    private int mostSprung;
    // what happens in a trap happens on a thread of the wiretap
    private volatile long asked;

    /**
     * Starts the client.
     *
     * @param phase the one that it is there for, and called after
     * @param servers those that it can reach
     */
    Trial(Stage stage, Phase phase, List<ServerProcess> servers) {
        String name = phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.stage = stage;
        this.phase = phase;
        this.lock = name;
        this.tap = stage.wiretap(name, servers);
        this.client = stage.client(name, tap.connectString());
    }

    Phase phase() {
        return phase;
    }

    ClientProcess client() {
        return client;
    }

    /** The name of the lock that it is about. */
    String lock() {
        return lock;
    }

    void on(String name) {
        lock = name;
    }

    void onNewLock() {
        lock = client.name() + "." + ++locks;
    }

    /** From here on its work throws an Error once it has held its lock. */
    void withErrors() {
        order = "once-failing ";
    }

    /** A cut at the step with this number, counted from the first one that is about the lock. */
    Trap trap(int step) {
        return Trap.at(phase, What.ANY, step).since("/" + lock);
    }

    /** Takes those traps away that there are. */
    void lay(List<Trap> next) {
        traps = next;
        tap.lay(next);
    }

    /** Waits until the first trap has sprung, and what it does is done; false if that does not come soon. */
    boolean awaitSprung() throws InterruptedException {
        return traps.get(0).awaitSprung(SOON);
    }

    /** How many of the traps that were laid together have sprung, at most. */
    int mostSprung() {
        return mostSprung;
    }

    /** Takes the traps away; says how many steps the first one has counted. */
    int lift() {
        mostSprung =
                Math.max(mostSprung, (int) traps.stream().filter(Trap::isSprung).count());
        tap.heal();
        traps.forEach(Trap::check);
        return traps.isEmpty() ? 0 : traps.get(0).seen();
    }

    /**
     * Lets it ask for its lock.
     *
     * @param how how long to hold it, how to ask for it, what it is
     */
    void ask(String how) {
        asked = System.nanoTime();
        client.order(order + how + "@" + lock);
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
        return stage.timeline()
                .await(
                        "what comes of a request by " + client.name() + " for " + lock + " with " + traps,
                        asked,
                        event -> event.source().equals(client.name()) && like.test(event.kind()));
    }

    /** Lets somebody else take the lock alone: whatever stood in its queue has gone. */
    void assertFree(ClientProcess judge) {
        long now = System.nanoTime();
        String wish = stage.variant().kind().alone() + "@" + lock;
        judge.order("once 0 forever " + wish);
        stage.timeline()
                .await(
                        "a grant of " + wish + " to the " + judge.name() + " after " + traps,
                        now,
                        event -> event.is(Kind.GRANTED, judge.name())
                                && event.text("wish").equals(wish));
    }
}
