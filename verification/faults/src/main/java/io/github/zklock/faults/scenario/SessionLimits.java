package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.WireReply;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ClientProxies;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Servers with different limits of the session timeout. Client and server negotiate the timeout at each connection
 * ({@code ZooKeeperServer.processConnectRequest}), and the leader then applies the new one.
 */
public class SessionLimits {

    private static final int USUAL = 0;
    private static final int STRICT = 1;

    /** Shorter session timeouts, in ticks of the servers; ZooKeeper's own lower limit is two. */
    private static final List<Integer> SHORT_TICKS = List.of(2, 3, 5);

    /** As {@link #SHORT_TICKS}; a busy server that was just started may need a second to answer. */
    private static final List<Integer> ROLLED_TICKS = List.of(6, 8, 10);

    private static final Duration LONG = Duration.ofSeconds(10);

    @FaultScenario(value = "M27", grants = 4, handOvers = 3, losses = 1, faults = 4, peers = true)
    public void aHolderWhoseNextServerGrantsLessTimeDoesNotOutliveItsSession(ScenarioContext context)
            throws InterruptedException {
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
        proxy.holdBack(MessageDirection.TO_SERVER);
        proxy.holdBack(MessageDirection.TO_CLIENT);
        context.note(ClientProxies.sourceOf(holder), Kind.CUT);
        // on a busy machine, a session of two ticks may end before that
        Event granted = context.await(Kind.GRANTED, other, moved.at());
        context.lastUntil(granted, T.dividedBy(4));
        proxy.heal();
        proxy.routeTo(USUAL);
        context.note(ClientProxies.sourceOf(holder), Kind.HEALED);
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
        context.hold(holder);
        context.release(holder);
    }

    /** Starts the holder's session at the usual server with the usual timeout, and moves it to the strict one. */
    private static Event holdAndMove(
            ScenarioContext context, InterceptingProxy proxy, ClientProcess holder, ClientProcess other, int ticks)
            throws InterruptedException {
        context.hold(holder);
        other.send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);
        CountDownLatch moved = new CountDownLatch(1);
        proxy.listen(reply -> {
            if (isNegotiated(reply, ticks)) {
                moved.countDown();
            }
        });
        proxy.routeTo(STRICT);
        Event severed = context.note(ClientProxies.sourceOf(holder), Kind.DISCONNECTED);
        proxy.cut();
        if (!moved.await(ScenarioContext.MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("Inconclusive: the holder did not connect to the server that grants less");
        }
        proxy.listen(reply -> {});
        // several renewals on the new connection, so that the handle answers "held" for a good reason
        context.letPass(Duration.ofMillis(Ensemble.TICK_MILLIS * 5L));
        return severed;
    }

    private static boolean isNegotiated(WireReply reply, int ticks) {
        return reply.saysAlive() && reply.sessionMillis() == ticks * Ensemble.TICK_MILLIS;
    }

    /** An operator restarts one server after the other, first with a lower limit, then with a higher one. */
    @FaultScenario(value = "M27", tier = Tier.ALL, grants = 20, handOvers = 8, faults = 12)
    public void aRollingRestartToOtherSessionLimitsLeavesNoTwoHolders(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        String servers = ensemble.connectStringWithout();
        // long enough to outlive the restart of a server
        ClientProcess holder = context.client("holder", servers, ClientOptions.DEFAULT.withSessionTimeout(LONG));
        ClientProcess first = context.client("first", servers, ClientOptions.DEFAULT.withSessionTimeout(LONG));
        ClientProcess second = context.client("second", servers);
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
        Awaitility.await("a connection of the holder, or its loss")
                .atMost(ScenarioContext.MAX_WAIT)
                .until(() -> context.ensemble().hasAnswered(held.text("session"))
                        || context.timeline()
                                        .count(event -> event.is(Kind.LOST)
                                                && event.source().equals(holder.name())
                                                && event.at() > held.at())
                                > 0);
        Event begun = stops ? context.pause(holder) : context.isolateClients();
        Awaitility.await("the next grant, or the time in which it must come")
                .atMost(ScenarioContext.MAX_WAIT)
                .until(() -> context.timeline()
                                        .count(event -> event.is(Kind.GRANTED)
                                                && !event.source().equals(holder.name())
                                                && event.at() > begun.at())
                                > 0
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
}
