package io.github.zklock.faults.scenario;

import io.github.zklock.faults.cluster.AbandonedSessions;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.WireReply;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A holder whose session expires in one bucket with thousands of others. The leader takes the whole bucket out of its
 * queue, and then closes the sessions one by one ({@code SessionTrackerImpl.run}, {@code ExpiryQueue.poll}). A session
 * that reconnects in between is confirmed ({@code SessionTrackerImpl.touchSession}), may even commit a transaction, and
 * is closed nevertheless. (M26)
 *
 * @param holder connects through the proxy
 * @param other waits for the lock of the holder
 * @param timeout the session timeout of both
 * @param sessions the number of the other sessions that expire
 * @param opening the time to open them
 * @param line how long the leader's log takes for each session that expires; zero for the usual log
 */
record ExpiredBucket(
        ScenarioContext context,
        InterceptingProxy proxy,
        ClientProcess holder,
        ClientProcess other,
        Duration timeout,
        int sessions,
        Duration opening,
        Duration line) {

    private static final long TOUCH_BEFORE_CUT_MILLIS = 150;
    private static final long LATEST_CUT_MILLIS = 10;

    /** The course of one round, by the replies of the servers. */
    record Round(boolean calledAlive, boolean committed, boolean closed, boolean missed) {

        /** The session was not among those that expired. */
        static final Round MISSED = new Round(false, false, false, true);

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

    /** Starts both clients at the leader. */
    static ExpiredBucket of(ScenarioContext context, Duration timeout, int sessions, Duration opening, Duration line) {
        ServerProcess leader = context.ensemble().leader();
        /*
         * A request for a new connection waits in the proxy until it may pass. The proxy has two ports, because a
         * client that knows one server only sleeps for a second before each attempt (StaticHostProvider.next).
         */
        InterceptingProxy proxy = context.proxy("holder", List.of(leader, leader));
        ClientOptions options = ClientOptions.DEFAULT.withSessionTimeout(timeout);
        ClientProcess holder = context.client("holder", proxy.connectString(), options);
        ClientProcess other = context.client("other", leader.connectString(), options);
        context.awaitReady();
        return new ExpiredBucket(context, proxy, holder, other, timeout, sessions, opening, line);
    }

    /**
     * Lets the holder hold the lock and the other client wait for it, and lets the session of the holder expire.
     *
     * @param delay how many milliseconds after the instant of the bucket the holder reconnects
     */
    Round round(int number, int delay) throws InterruptedException {
        context.hold(holder);
        other.send("hold " + context.exclusive());
        ScenarioContext.until(
                "a holder and a waiter",
                () -> context.seats(LockSpec.USUAL_LOCK).size() == 2);
        Round round = attack(delay);
        Event noted = context.note("leader", Kind.NOTED, "round attack", number, round);
        if (round.missed()) {
            // the session continues: it is proven again when one that began later has expired
            context.awaitHeld(holder, true, noted.at());
        }
        context.release(holder);
        if (round.missed()) {
            context.await(Kind.GRANTED, other, noted.at());
        }
        context.release(other);
        return round;
    }

    private Round attack(int delay) throws InterruptedException {
        Event begun = context.note("abandoned-sessions", Kind.NOTED, "delay", delay);
        ServerProcess leader = context.ensemble().leader();
        AbandonedSessions abandoned = new AbandonedSessions(leader.connectString());

        long expiry =
                AbandonedSessions.bucketAt(nowMillis() + timeout.plus(opening).toMillis());
        long lastTouch = expiry - timeout.toMillis() - TOUCH_BEFORE_CUT_MILLIS;
        int opened = abandoned.open(sessions, expiry, lastTouch - Ensemble.TICK_MILLIS);
        if (!line.isZero()) {
            context.slowLog(leader, line);
        }
        sleepUntil(lastTouch);
        Event touching = context.note("abandoned-sessions", Kind.NOTED, "sessions", opened);
        holder.send("once 0 forever " + context.exclusive() + "@touch");
        context.await(Kind.CLOSED, holder, touching.at());
        proxy.holdBack(MessageDirection.TO_SERVER);
        Event cut = context.note(ScenarioContext.proxyOf(holder.name()), Kind.CUT);
        long late = cut.at() / 1_000_000 - (expiry - timeout.toMillis());

        List<WireReply> replies = new CopyOnWriteArrayList<>();
        proxy.listen(replies::add);
        sleepUntil(expiry + delay);
        // a client whose session was closed must not learn of it by its next connection
        proxy.refuseConnections();
        proxy.resume(MessageDirection.TO_SERVER);
        long reconnected = System.nanoTime();
        if (!isGrantedSoon(begun)) {
            // on a busy machine the holder may reconnect before its bucket is due: the session continues
            heal();
            return Round.MISSED;
        }
        // on a busy machine the session of the holder may also end before all of this
        Event granted = context.await(Kind.GRANTED, other, begun.at());
        context.lastUntil(granted, timeout.dividedBy(4));
        heal();
        context.await(Kind.LOST, holder, begun.at());

        boolean inTime = late < -LATEST_CUT_MILLIS;
        long grantedAfter = granted.at() - reconnected;
        Duration closing = timeout.dividedBy(2).plus(line.multipliedBy(opened));
        boolean closed = inTime && grantedAfter > 0 && grantedAfter < closing.toNanos();
        long aliveAt = replies.stream()
                .filter(WireReply::saysAlive)
                .mapToLong(WireReply::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return new Round(
                aliveAt < Long.MAX_VALUE,
                replies.stream().anyMatch(reply -> reply.isCommit() && reply.at() > aliveAt),
                closed,
                false);
    }

    private void heal() {
        proxy.listen(reply -> {});
        proxy.heal();
        context.heal();
    }

    /** Returns whether the next client is granted the lock in the time of an expired session. */
    private boolean isGrantedSoon(Event begun) {
        long end = System.nanoTime()
                + timeout.multipliedBy(4).plus(line.multipliedBy(sessions)).toNanos();
        while (end - System.nanoTime() > 0) {
            if (context.timeline().has(Kind.GRANTED, other.name(), begun.at())) {
                return true;
            }
            context.letPass(Duration.ofMillis(10));
        }
        return false;
    }

    private static void sleepUntil(long millis) {
        long end = millis * 1_000_000;
        while (end - System.nanoTime() > 2_000_000) {
            LockSupport.parkNanos(1_000_000);
        }
        while (end - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }
}
