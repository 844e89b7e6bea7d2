package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.rig.WireReply;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.rig.Wiretap.Way;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Wires;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Servers whose limits of the session timeout differ. Client and server negotiate the timeout anew at each connection
 * ({@code ZooKeeperServer.processConnectRequest}), and the leader then ends the session after the new one.
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
    public void aHolderWhoseNextServerGrantsLessTimeDoesNotOutliveItsSession(Stage stage) throws InterruptedException {
        ServerProcess strict = stage.ensemble().follower();
        ServerProcess leader = stage.ensemble().leader();
        ServerProcess usual = stage.ensemble().servers().stream()
                .filter(server -> server != strict && server != leader)
                .findFirst()
                .orElseThrow();
        int ticks = SHORT_TICKS.get(stage.random().nextInt(SHORT_TICKS.size()));
        stage.restart(strict, atMost(ticks));
        Wiretap tap = stage.wiretap("holder", List.of(usual, strict));
        tap.leadTo(USUAL);
        ClientProcess holder = stage.client("holder", tap.connectString());
        ClientProcess other = stage.client("other", leader.connectString());
        stage.awaitReady();

        // what is sent is lost
        Event moved = holdAndMove(stage, tap, holder, other, ticks);
        tap.holdBack(Way.TO_SERVER);
        tap.holdBack(Way.TO_CLIENT);
        stage.note(Wires.of(holder), Kind.CUT);
        // a session of two ticks may end before that, on a machine that is busy
        Event granted = stage.await(Kind.GRANTED, other, moved.at());
        stage.lastUntil(granted, T.dividedBy(4));
        tap.heal();
        tap.leadTo(USUAL);
        stage.note(Wires.of(holder), Kind.HEALED);
        stage.await(Kind.LOST, holder, moved.at());
        stage.release(holder);
        stage.release(other);

        // the process stands still
        moved = holdAndMove(stage, tap, holder, other, ticks);
        stage.pause(holder);
        granted = stage.await(Kind.GRANTED, other, moved.at());
        stage.lastUntil(granted, Duration.ofMillis(50));
        tap.leadTo(USUAL);
        Event resumed = stage.resume(holder);
        stage.await(Kind.LOST, holder, moved.at());
        stage.lastUntil(resumed, T.dividedBy(8));
        stage.release(holder);
        stage.release(other);

        tap.heal();
        stage.restart(strict, List.of());
        stage.hold(holder);
        stage.release(holder);
    }

    /** The holder's session begins at the usual server with the usual timeout, and goes on at the strict one. */
    private static Event holdAndMove(Stage stage, Wiretap tap, ClientProcess holder, ClientProcess other, int ticks)
            throws InterruptedException {
        stage.hold(holder);
        other.order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);
        CountDownLatch moved = new CountDownLatch(1);
        tap.listen(reply -> {
            if (isNegotiated(reply, ticks)) {
                moved.countDown();
            }
        });
        tap.leadTo(STRICT);
        Event severed = stage.note(Wires.of(holder), Kind.SEVERED);
        tap.cut();
        if (!moved.await(Stage.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("Hollow: the holder did not come to the server that grants less");
        }
        tap.listen(reply -> {});
        // some renewals on the new connection, so that the holder has every reason to believe in its lock
        stage.letPass(Duration.ofMillis(Ensemble.TICK_MILLIS * 5L));
        return severed;
    }

    private static boolean isNegotiated(WireReply reply, int ticks) {
        return reply.saysAlive() && reply.sessionMillis() == ticks * Ensemble.TICK_MILLIS;
    }

    /** An operator restarts one server after the other, first with less time for sessions, then with more. */
    @FaultScenario(value = "M27", tier = Tier.ALL, grants = 20, handOvers = 8, faults = 12)
    public void aRollingRestartToOtherSessionLimitsLeavesNoTwoHolders(Stage stage) {
        Ensemble ensemble = stage.ensemble();
        String servers = ensemble.connectStringWithout();
        // long enough to outlive the restart of a server
        ClientProcess holder = stage.client("holder", servers, Equipment.USUAL.withSessionTimeout(LONG));
        ClientProcess first = stage.client("first", servers, Equipment.USUAL.withSessionTimeout(LONG));
        ClientProcess second = stage.client("second", servers);
        stage.awaitReady();
        Cast cast = new Cast(stage, holder, first, second);
        cast.loop();

        List<Integer> limits = new ArrayList<>(ROLLED_TICKS);
        Collections.shuffle(limits, stage.random());
        for (int server = 0; server < Ensemble.SIZE; server++) {
            int ticks = limits.get(server);
            Event held = stage.hold(holder);
            stage.restart(ensemble.servers().get(server), atMost(ticks));
            trouble(stage, holder, held, server % 2 == 0);
        }
        for (int server = 0; server < Ensemble.SIZE; server++) {
            Event held = stage.hold(holder);
            stage.restart(ensemble.servers().get(server), List.of("minSessionTimeout=4000"));
            trouble(stage, holder, held, server % 2 == 1);
        }
        for (ServerProcess server : ensemble.servers()) {
            stage.restart(server, List.of());
        }
        Event done = stage.note("ensemble", Kind.NOTED);
        cast.awaitGrants(done);
    }

    /** Stops the holder, or loses what all clients send, until somebody else is granted the lock or T is over. */
    private static void trouble(Stage stage, ClientProcess holder, Event held, boolean stops) {
        // docs/internals/session-proof.md assumes that the holder receives the answer that grants the shorter timeout
        Awaitility.await("a connection of the holder, or its loss")
                .atMost(Stage.PATIENCE)
                .until(() -> stage.ensemble().hasAnswered(held.text("session"))
                        || stage.timeline()
                                        .count(event -> event.is(Kind.LOST)
                                                && event.source().equals(holder.name())
                                                && event.at() > held.at())
                                > 0);
        Event begun = stops ? stage.pause(holder) : stage.isolateClients();
        Awaitility.await("the next grant, or the time in which it must come")
                .atMost(Stage.PATIENCE)
                .until(() -> stage.timeline()
                                        .count(event -> event.is(Kind.GRANTED)
                                                && !event.source().equals(holder.name())
                                                && event.at() > begun.at())
                                > 0
                        || System.nanoTime() - begun.at() > T.dividedBy(2).toNanos());
        if (stops) {
            stage.resume(holder);
        } else {
            stage.reconnectClients();
        }
        stage.release(holder);
    }

    private static List<String> atMost(int ticks) {
        return List.of("maxSessionTimeout=" + ticks * Ensemble.TICK_MILLIS);
    }
}
