package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.AbandonedSessions;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.WireReply;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ClientProxies;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sessions that expire together with that of a holder, which reconnects at that moment. */
public class Expiries {

    private static final int ROUNDS = 6;
    private static final int SESSIONS = 3_500;
    /** Time to open the sessions, and for the last request of the holder. */
    private static final Duration PREPARATION = Duration.ofSeconds(7);

    private static final long TOUCH_BEFORE_CUT_MILLIS = 150;
    private static final long LATEST_CUT_MILLIS = 10;

    /** How many milliseconds after the instant of the bucket the holder reconnects, round by round. */
    private static final List<Integer> DELAYS_MILLIS = List.of(3, 5, 8, 4, 12, 6);

    /** The course of one round, by the replies of the servers. */
    private record BucketRound(boolean calledAlive, boolean committed, boolean closed, boolean missed) {

        /** The session was not among those that expired. */
        static final BucketRound MISSED = new BucketRound(false, false, false, true);

        /**
         * Returns whether the leader confirmed the session, committed a transaction of it, and closed it nevertheless.
         */
        boolean isComplete() {
            return calledAlive && committed && closed;
        }

        boolean isDeceptive() {
            return calledAlive && closed;
        }
    }

    /**
     * The leader takes a whole bucket of expired sessions out of its queue, and then closes them one by one ({@code
     * SessionTrackerImpl.run}, {@code ExpiryQueue.poll}). A session that reconnects in between is confirmed ({@code
     * SessionTrackerImpl.touchSession}), may even commit a transaction, and is closed nevertheless. (M26)
     */
    @FaultScenario(value = "M26", grants = 3, handOvers = 2, losses = 1, faults = 1, peers = true)
    public void aSessionThatIsCalledAliveWhileItsBucketExpiresProvesNothing(ScenarioContext context)
            throws InterruptedException {
        ServerProcess leader = context.ensemble().leader();
        /*
         * A request for a new connection waits in the proxy until it may pass. The proxy has two ports, because a
         * client that knows one server only sleeps for a second before each attempt (StaticHostProvider.next).
         */
        InterceptingProxy proxy = context.proxy("holder", List.of(leader, leader));
        ClientProcess holder = context.client("holder", proxy.connectString());
        ClientProcess other = context.client("other", leader.connectString());
        context.awaitReady();
        String spec = context.variant().kind().exclusive();

        boolean deceptive = false;
        for (int round = 0; round < ROUNDS; round++) {
            context.hold(holder);
            other.send("hold " + spec);
            context.queues().awaitSeats(2);
            BucketRound attempt = attackBucket(context, proxy, holder, other, DELAYS_MILLIS.get(round));
            Event noted = context.note("leader", Kind.NOTED, "round", round, "attack", attempt);
            context.release(holder);
            if (attempt.missed()) {
                context.await(Kind.GRANTED, other, noted.at());
            }
            context.release(other);
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

        context.hold(holder);
    }

    private static BucketRound attackBucket(
            ScenarioContext context, InterceptingProxy proxy, ClientProcess holder, ClientProcess other, int delay)
            throws InterruptedException {
        Event begun = context.note("abandoned-sessions", Kind.NOTED, "delay", delay);
        AbandonedSessions abandoned =
                new AbandonedSessions(context.ensemble().leader().connectString());

        long expiry = AbandonedSessions.bucketAt(nowMillis() + PREPARATION.toMillis());
        long lastTouch = expiry - T.toMillis() - TOUCH_BEFORE_CUT_MILLIS;
        int opened = abandoned.open(SESSIONS, expiry, lastTouch - Ensemble.TICK_MILLIS);
        sleepUntil(lastTouch);
        Event touching = context.note("abandoned-sessions", Kind.NOTED, "sessions", opened);
        holder.send("once 0 forever " + context.variant().kind().exclusive() + "@touch");
        context.timeline()
                .await(
                        "the end of the holder's last request",
                        touching.at(),
                        event -> event.is(Kind.CLOSED, holder.name()));
        proxy.holdBack(MessageDirection.TO_SERVER);
        Event cut = context.note(ClientProxies.sourceOf(holder), Kind.CUT);
        long late = cut.at() / 1_000_000 - (expiry - T.toMillis());

        List<WireReply> replies = new CopyOnWriteArrayList<>();
        proxy.listen(replies::add);
        sleepUntil(expiry + delay);
        // a client whose session was closed must not learn of it by its next connection
        proxy.refuseConnections();
        proxy.resume(MessageDirection.TO_SERVER);
        long reconnected = System.nanoTime();
        if (!isGrantedSoon(context, other, begun)) {
            // on a busy machine the holder may reconnect before its bucket is due: the session continues
            proxy.listen(reply -> {});
            proxy.heal();
            context.heal();
            return BucketRound.MISSED;
        }
        // on a busy machine the session of the holder may also end before all of this
        Event granted = context.await(Kind.GRANTED, other, begun.at());
        context.lastUntil(granted, T.dividedBy(4));
        proxy.listen(reply -> {});
        proxy.heal();
        context.heal();
        context.await(Kind.LOST, holder, begun.at());

        boolean inTime = late < -LATEST_CUT_MILLIS;
        long grantedAfter = granted.at() - reconnected;
        boolean closed =
                inTime && grantedAfter > 0 && grantedAfter < T.dividedBy(2).toNanos();
        long aliveAt = replies.stream()
                .filter(WireReply::saysAlive)
                .mapToLong(WireReply::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return new BucketRound(
                aliveAt < Long.MAX_VALUE,
                replies.stream().anyMatch(reply -> reply.isCommit() && reply.at() > aliveAt),
                closed,
                false);
    }

    /** Returns whether the next client is granted the lock in the time of an expired session. */
    private static boolean isGrantedSoon(ScenarioContext context, ClientProcess other, Event begun)
            throws InterruptedException {
        long end = System.nanoTime() + T.multipliedBy(4).toNanos();
        while (end - System.nanoTime() > 0) {
            if (context.timeline().count(event -> event.is(Kind.GRANTED, other.name()) && event.at() > begun.at())
                    > 0) {
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
