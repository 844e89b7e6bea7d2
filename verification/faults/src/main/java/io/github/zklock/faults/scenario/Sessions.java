package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Policy.STRICT;
import static io.github.zklock.faults.context.Variant.Surface.ANNOTATION;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Sessions that expire with many others, that are long, or whose timeout changes with the server. */
public class Sessions {

    private static final int ROUNDS = 6;
    private static final int SESSIONS = 3_500;

    /** Time to open the sessions, and for the last request of the holder. */
    private static final Duration OPENING = Duration.ofSeconds(4);

    /** How many milliseconds after the instant of the bucket the holder reconnects, round by round. */
    private static final List<Integer> DELAYS_MILLIS = List.of(3, 5, 8, 4, 12, 6);

    private static final int USUAL = 0;
    private static final int STRICT = 1;

    /** Shorter session timeouts, in ticks of the servers; ZooKeeper's own lower limit is two. */
    private static final List<Integer> SHORT_TICKS = List.of(2, 3, 5);

    /** As {@link #SHORT_TICKS}; a busy server that was just started may need a second to answer. */
    private static final List<Integer> ROLLED_TICKS = List.of(6, 8, 10);

    private static final Duration OUTLIVING_A_RESTART = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(20);
    // a renewal may come at that moment, and report the deletion
    private static final int DELETIONS = 6;

    /** The leader confirms a session whose bucket it has already taken out of its queue. (M26) */
    @FaultScenario(value = "M26", grants = 3, handOvers = 2, losses = 1, peers = true)
    public void aSessionThatIsCalledAliveWhileItsBucketExpiresProvesNothing(ScenarioContext context)
            throws InterruptedException {
        ExpiredBucket bucket = ExpiredBucket.of(context, T, SESSIONS, OPENING, Duration.ZERO);
        boolean deceptive = false;
        for (int round = 0; round < ROUNDS; round++) {
            ExpiredBucket.Round attempt = bucket.round(round, DELAYS_MILLIS.get(round));
            deceptive |= attempt.isDeceptive();
            if (attempt.isComplete()) {
                break;
            }
        }
        if (!deceptive) {
            throw new AssertionError(
                    "Inconclusive: in %d rounds, the leader confirmed no session that it closed nevertheless"
                            .formatted(ROUNDS));
        }

        context.hold(bucket.holder());
    }

    /**
     * Client and server negotiate the timeout at each connection ({@code ZooKeeperServer.processConnectRequest}), and
     * the leader then applies the new one.
     */
    @FaultScenario(value = "M27", grants = 4, handOvers = 3, losses = 1, faults = 4, peers = true)
    public void aHolderWhoseNextServerGrantsLessTimeDoesNotOutliveItsSession(ScenarioContext context) {
        ServerProcess strict = context.ensemble().follower();
        ServerProcess leader = context.ensemble().leader();
        ServerProcess usual = context.ensemble().servers().stream()
                .filter(server -> server != strict && server != leader)
                .findFirst()
                .orElseThrow();
        int ticks = SHORT_TICKS.get(context.random().nextInt(SHORT_TICKS.size()));
        context.restart(strict, atMost(ticks));
        InterceptingProxy proxy = context.proxy("holder", List.of(usual, strict));
        proxy.routeTo(USUAL);
        ClientProcess holder = context.client("holder", proxy.connectString());
        ClientProcess other = context.client("other", leader.connectString());
        context.awaitReady();

        // all messages are lost
        Event moved = holdAndMove(context, proxy, holder, other, ticks);
        List.of(MessageDirection.values()).forEach(proxy::holdBack);
        context.note(ScenarioContext.proxyOf(holder.name()), Kind.CUT);
        // on a busy machine, a session of two ticks may end before that
        Event granted = context.await(Kind.GRANTED, other, moved.at());
        context.lastUntil(granted, T.dividedBy(4));
        proxy.heal();
        proxy.routeTo(USUAL);
        context.note(ScenarioContext.proxyOf(holder.name()), Kind.HEALED);
        context.await(Kind.LOST, holder, moved.at());
        context.release(holder);
        context.release(other);

        // the process is paused
        moved = holdAndMove(context, proxy, holder, other, ticks);
        context.pause(holder);
        granted = context.await(Kind.GRANTED, other, moved.at());
        context.lastUntil(granted, Duration.ofMillis(50));
        proxy.routeTo(USUAL);
        Event resumed = context.resume(holder);
        context.await(Kind.LOST, holder, moved.at());
        context.lastUntil(resumed, T.dividedBy(8));
        context.release(holder);
        context.release(other);

        proxy.heal();
        context.restart(strict, List.of());
        context.holdInTurn(holder);
    }

    /** Starts the holder's session at the usual server with the usual timeout, and moves it to the strict one. */
    private static Event holdAndMove(
            ScenarioContext context, InterceptingProxy proxy, ClientProcess holder, ClientProcess other, int ticks) {
        context.hold(holder);
        context.queue(other, 2);
        CountDownLatch moved = new CountDownLatch(1);
        proxy.listen(reply -> {
            if (reply.saysAlive() && reply.sessionMillis() == ticks * Ensemble.TICK_MILLIS) {
                moved.countDown();
            }
        });
        proxy.routeTo(STRICT);
        Event severed = context.note(ScenarioContext.proxyOf(holder.name()), Kind.DISCONNECTED);
        proxy.cut();
        if (!ScenarioContext.awaitOpen(moved)) {
            throw new AssertionError("Inconclusive: the holder did not connect to the server that grants less");
        }
        proxy.listen(reply -> {});
        // several renewals on the new connection, so that the handle answers "held" for a good reason
        context.letPass(Duration.ofMillis(Ensemble.TICK_MILLIS * 5L));
        return severed;
    }

    /** An operator restarts one server after the other, first with a lower limit, then with a higher one. */
    @FaultScenario(value = "M27", tier = Tier.ALL, grants = 20, handOvers = 8, faults = 12)
    public void aRollingRestartToOtherSessionLimitsLeavesNoTwoHolders(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        // long enough to outlive the restart of a server
        ClientProcess holder = context.client("holder", ClientOptions.DEFAULT.withSessionTimeout(OUTLIVING_A_RESTART));
        ClientProcess first = context.client("first", ClientOptions.DEFAULT.withSessionTimeout(OUTLIVING_A_RESTART));
        ClientProcess second = context.client("second");
        context.awaitReady();
        ThreeClients clients = new ThreeClients(context, holder, first, second);
        clients.loop();

        List<Integer> limits = new ArrayList<>(ROLLED_TICKS);
        Collections.shuffle(limits, context.random());
        for (int server = 0; server < Ensemble.SIZE; server++) {
            int ticks = limits.get(server);
            Event held = context.hold(holder);
            context.restart(ensemble.servers().get(server), atMost(ticks));
            trouble(context, holder, held, server % 2 == 0);
        }
        for (int server = 0; server < Ensemble.SIZE; server++) {
            Event held = context.hold(holder);
            context.restart(ensemble.servers().get(server), List.of("minSessionTimeout=4000"));
            trouble(context, holder, held, server % 2 == 1);
        }
        for (ServerProcess server : ensemble.servers()) {
            context.restart(server, List.of());
        }
        Event done = context.note("ensemble", Kind.NOTED);
        clients.awaitGrants(done);
    }

    /** Pauses the holder, or isolates all clients, until another client is granted the lock or half of T has passed. */
    private static void trouble(ScenarioContext context, ClientProcess holder, Event held, boolean stops) {
        // docs/internals/session-proof.md assumes that the holder receives the answer that grants the shorter timeout
        ScenarioContext.until(
                "a connection of the holder, or its loss",
                () -> context.ensemble().hasAnswered(held.text("session"))
                        || context.timeline().has(Kind.LOST, holder.name(), held.at()));
        Event begun = stops ? context.pause(holder) : context.isolateClients();
        ScenarioContext.until(
                "the next grant, or the time in which it must come",
                () -> context.grantsToOthers(holder, begun.at(), Long.MAX_VALUE) > 0
                        || System.nanoTime() - begun.at() > T.dividedBy(2).toNanos());
        if (stops) {
            context.resume(holder);
        } else {
            context.reconnectClients();
        }
        context.release(holder);
    }

    private static List<String> atMost(int ticks) {
        return List.of("maxSessionTimeout=" + ticks * Ensemble.TICK_MILLIS);
    }

    /**
     * The predecessor leaves at the same time: that is all that the waiter is notified of. Readers and waiters for
     * permits read the queue before their turn. (M21)
     */
    @FaultScenario(value = "S13", grants = 2 * DELETIONS, handOvers = DELETIONS, losses = 1, faults = DELETIONS)
    @Variants(kinds = EXCLUSIVE)
    public void aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot(ScenarioContext context) {
        String spec = context.exclusive();
        ClientProcess holder = context.client("holder");
        ClientProcess waiter = context.client("waiter", ClientOptions.DEFAULT.withSessionTimeout(LONG));
        context.awaitReady();
        String waiting = context.await(Kind.READY, waiter, 0).text("session");

        for (int attempt = 0; attempt < DELETIONS; attempt++) {
            Event held = context.hold(holder);
            waiter.send("once 2000 forever " + spec);
            context.queues().awaitSeats(2);
            context.deleteSeat(LockSpec.USUAL_LOCK, waiting);
            context.release(holder);
            context.await(Kind.CLOSED, waiter, held.at());
        }
    }

    /**
     * The predecessor is of the same process, which may pass the turn on to a deleted seat before it learns of the
     * deletion. Meanwhile another client is granted the lock: both hold it for a moment, as docs/failure-model.md
     * states. (M21)
     */
    @FaultScenario(value = "S13", grants = 9, handOvers = 2, losses = 1, faults = 5)
    @Variants(kinds = EXCLUSIVE, policies = Policy.STRICT)
    public void aTurnIsPassedOnToNoPlaceThatWasDeletedAndFromOneThatWas(ScenarioContext context) {
        ClientProcess several = context.client("several", ClientOptions.DEFAULT.withSessionTimeout(LONG));
        ClientProcess other = context.client("other");
        context.awaitReady();
        String spec = context.exclusive();

        Event held = context.hold(several);
        several.send("once 1000 forever " + spec);
        context.queues().awaitSeats(2);
        other.send("once 1000 forever " + spec);
        context.queues().awaitSeats(3);
        Event deleted = deleteSeat(context, 1);
        awaitEndOfNext(context, several, deleted);
        context.await(Kind.GRANTED, other, held.at());
        context.queues().awaitNoSeats();

        holdAndWait(context, several);
        deleted = deleteSeat(context, 0);
        awaitTurnOfNext(context, several, deleted);

        holdAndWait(context, several);
        deleted = deleteSeat(context, 1);
        deleteSeat(context, 0);
        awaitEndOfNext(context, several, deleted);

        holdAndWait(context, several);
        deleted = deleteSeat(context, 0);
        context.await(Kind.LOST, several, deleted.at());
        awaitTurnOfNext(context, several, deleted);
    }

    private static void holdAndWait(ScenarioContext context, ClientProcess client) {
        context.hold(client);
        client.send("once 1000 forever " + context.exclusive());
        context.queues().awaitSeats(2);
    }

    /** Deletes a seat; all consequences are later than the returned event. */
    private static Event deleteSeat(ScenarioContext context, int place) {
        Event begun = context.note("operator", Kind.NOTED);
        String seat = context.seats(LockSpec.USUAL_LOCK).get(place);
        context.operator().delete(seat);
        context.note("operator", Kind.DELETED, "node", seat);
        return begun;
    }

    /**
     * Waits for the end of the next turn: on a seat that has ended, with a loss, or on a new seat, if the process has
     * noticed the deletion.
     */
    private static void awaitEndOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event granted = awaitTurnOfNext(context, client, deleted);
        context.await(Kind.CLOSED, client, granted.at());
    }

    /** Waits for the next turn, which may begin before the release of the holder has been reported. */
    private static Event awaitTurnOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event released = context.release(client);
        Event granted = context.await(Kind.GRANTED, client, deleted.at());
        context.await(Kind.CLOSED, client, released.at());
        return granted;
    }

    /** Our library did not build the client, so the registry has a session of its own. (M24) */
    @FaultScenario(value = "S23", grants = 3, handOvers = 2)
    @Variants(surfaces = {REGISTRY, ANNOTATION})
    public void aHolderKeepsItsLockWhenTheClientOfTheApplicationIsReset(ScenarioContext context) {
        ClientProcess holder = context.client("holder", ClientOptions.withForeignClient());
        ClientProcess other = context.client("other");
        context.awaitReady();

        context.hold(holder);
        other.send("hold " + context.exclusive());
        context.queues().awaitSeats(2);
        Event reset = context.disrupt(holder, Disruption.RESET);
        context.lastUntil(reset, T);
        Event released = context.release(holder);

        context.await(Kind.GRANTED, other, released.at());
        context.release(other);
        context.hold(holder);
    }
}
