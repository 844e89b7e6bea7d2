package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.AbandonedSessions;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.rig.WireReply;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.rig.Wiretap.Way;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Wires;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sessions that expire together with that of a holder, which reconnects just then. */
public class Expiries {

    private static final int ROUNDS = 6;
    private static final int SESSIONS = 3_500;
    /** For so many sessions, and for the holder's last request. */
    private static final Duration PREPARATION = Duration.ofSeconds(7);

    private static final long TOUCH_BEFORE_CUT_MILLIS = 150;
    private static final long LATEST_CUT_MILLIS = 10;

    /** After the instant of a bucket the holder reconnects: so many milliseconds later, from round to round. */
    private static final List<Integer> DELAYS_MILLIS = List.of(3, 5, 8, 4, 12, 6);

    /** One round, as the wire and the servers tell it. */
    private record Attack(boolean calledAlive, boolean committed, boolean closed, boolean missed) {

        /** The session was not among those that expired. */
        static final Attack MISSED = new Attack(false, false, false, true);

        /** The leader said that the session lives, carried out a transaction of it, and then closed it all the same. */
        boolean isComplete() {
            return calledAlive && committed && closed;
        }

        boolean isDeceptive() {
            return calledAlive && closed;
        }
    }

    /**
     * The leader takes a whole bucket of expired sessions out of its queue, and then closes them one by one
     * ({@code SessionTrackerImpl.run}, {@code ExpiryQueue.poll}). A session that reconnects in between is told that it lives
     * ({@code SessionTrackerImpl.touchSession}), may even commit a transaction, and is closed all the same. (M26)
     */
    @FaultScenario(value = "M26", grants = 3, handOvers = 2, losses = 1, faults = 1, peers = true)
    public void aSessionThatIsCalledAliveWhileItsBucketExpiresProvesNothing(Stage stage) throws InterruptedException {
        ServerProcess leader = stage.ensemble().leader();
        /*
         * A request for a new connection waits in the wiretap until the request is let through. Two doors, because a client
         * that knows one server only sleeps for a second before each attempt (StaticHostProvider.next).
         */
        Wiretap tap = stage.wiretap("holder", List.of(leader, leader));
        ClientProcess holder = stage.client("holder", tap.connectString());
        ClientProcess other = stage.client("other", leader.connectString());
        stage.awaitReady();
        String wish = stage.variant().kind().alone();

        boolean deceptive = false;
        for (int round = 0; round < ROUNDS; round++) {
            stage.hold(holder);
            other.order("hold " + wish);
            stage.seating().awaitSeats(2);
            Attack attack = attack(stage, tap, holder, other, DELAYS_MILLIS.get(round));
            Event noted = stage.note("leader", Kind.NOTED, "round", round, "attack", attack);
            stage.release(holder);
            if (attack.missed()) {
                stage.await(Kind.GRANTED, other, noted.at());
            }
            stage.release(other);
            deceptive |= attack.isDeceptive();
            if (attack.isComplete()) {
                break;
            }
        }
        if (!deceptive) {
            throw new AssertionError(
                    "Hollow: the leader called no session alive, and closed it all the same, in %d rounds"
                            .formatted(ROUNDS));
        }

        stage.hold(holder);
    }

    private static Attack attack(Stage stage, Wiretap tap, ClientProcess holder, ClientProcess other, int delay)
            throws InterruptedException {
        Event begun = stage.note("crowd", Kind.NOTED, "delay", delay);
        AbandonedSessions crowd =
                new AbandonedSessions(stage.ensemble().leader().connectString());

        long expiry = AbandonedSessions.bucketAt(nowMillis() + PREPARATION.toMillis());
        long lastTouch = expiry - T.toMillis() - TOUCH_BEFORE_CUT_MILLIS;
        int opened = crowd.open(SESSIONS, expiry, lastTouch - Ensemble.TICK_MILLIS);
        sleepUntil(lastTouch);
        Event touching = stage.note("crowd", Kind.NOTED, "sessions", opened);
        holder.order("once 0 forever " + stage.variant().kind().alone() + "@touch");
        stage.timeline()
                .await(
                        "the end of the holder's last request",
                        touching.at(),
                        event -> event.is(Kind.CLOSED, holder.name()));
        tap.holdBack(Way.TO_SERVER);
        Event cut = stage.note(Wires.of(holder), Kind.CUT);
        long late = cut.at() / 1_000_000 - (expiry - T.toMillis());

        List<WireReply> replies = new CopyOnWriteArrayList<>();
        tap.listen(replies::add);
        sleepUntil(expiry + delay);
        // whoever is told that its session has ended must not learn of it by the next connection
        tap.refuse();
        tap.letGo(Way.TO_SERVER);
        long reconnected = System.nanoTime();
        if (!isGrantedSoon(stage, other, begun)) {
            // on a machine that is very busy it may have come back before its own bucket was due: the session lives on
            tap.listen(reply -> {});
            tap.heal();
            stage.heal();
            return Attack.MISSED;
        }
        // on such a machine the session of the holder may also end before all that
        Event granted = stage.await(Kind.GRANTED, other, begun.at());
        stage.lastUntil(granted, T.dividedBy(4));
        tap.listen(reply -> {});
        tap.heal();
        stage.heal();
        stage.await(Kind.LOST, holder, begun.at());

        boolean inTime = late < -LATEST_CUT_MILLIS;
        long grantedAfter = granted.at() - reconnected;
        boolean closed =
                inTime && grantedAfter > 0 && grantedAfter < T.dividedBy(2).toNanos();
        long aliveAt = replies.stream()
                .filter(WireReply::saysAlive)
                .mapToLong(WireReply::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return new Attack(
                aliveAt < Long.MAX_VALUE,
                replies.stream().anyMatch(reply -> reply.isCommit() && reply.at() > aliveAt),
                closed,
                false);
    }

    /** Whether the next one gets the lock as it does if the session of the holder has ended. */
    private static boolean isGrantedSoon(Stage stage, ClientProcess other, Event begun) throws InterruptedException {
        long end = System.nanoTime() + T.multipliedBy(4).toNanos();
        while (end - System.nanoTime() > 0) {
            if (stage.timeline().count(event -> event.is(Kind.GRANTED, other.name()) && event.at() > begun.at()) > 0) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }

    private static void sleepUntil(long millis) throws InterruptedException {
        long end = millis * 1_000_000;
        while (end - System.nanoTime() > 2_000_000) {
            Thread.sleep(1);
        }
        while (end - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }
}
