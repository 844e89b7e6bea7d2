package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Downgrade;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Member;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Plans for known attacks, which random plans seldom hit upon: each brings a holder to the edge of what its proof allows, or
 * a client to a server that does not know better. A fixed share of the plans of every run is made here.
 */
final class SimAttacks {

    /** One plan in so many is an attack. */
    static final int SHARE = 4;

    private static final long TICK = SimPlan.TICK;
    private static final int TURNS_OF_A_SEAT = Tokens.MAX_TURNS + 4;
    private static final double LONG_SERVICE = 0.01;
    private static final double DOWNGRADES = 0.2;

    private final SimPlan plan;
    private final SimRandom random;
    private final long timeout;
    private final int holder;
    private final int rival;
    private final List<Member> members;
    private final List<SimFamily> families;
    private final List<Wish> wishes = new ArrayList<>();
    private final List<Mishap> mishaps = new ArrayList<>();
    private SimConditions conditions;

    private SimAttacks(SimPlan plan) {
        this.plan = plan;
        this.random = new SimRandom(plan.seed() ^ 0x61747461636BL);
        this.timeout = plan.timeout();
        this.holder = random.below(plan.members().size());
        this.rival = (holder + 1) % plan.members().size();
        this.families = new ArrayList<>(plan.families());
        this.members = new ArrayList<>(plan.members());
        this.conditions = plan.conditions();
    }

    /** An attack in place of this plan, with its members and delays. */
    static SimPlan inPlaceOf(SimPlan plan) {
        return new SimAttacks(plan).make();
    }

    private SimPlan make() {
        openEnded(holder);
        openEnded(rival);
        if (plan.families().get(0).isExclusive() && random.chance(LONG_SERVICE)) {
            moreTurnsThanTokens();
        } else if (plan.families().get(0).equals(SimFamily.readWrite()) && random.chance(DOWNGRADES)) {
            writersBehindOneWhoBecomesAReader();
        } else {
            switch (random.below(12)) {
                case 0 -> reconnectWhileTheBucketIsClosed();
                case 1 -> shorterTimeoutAtTheNextServer();
                case 2 -> touchLostBeforeTheFollowerStops();
                case 3 -> slowClockAndUnnoticedSuspension();
                case 4 -> answerOfADeposedLeader();
                case 5 -> lastPingBeforeTheFollowerStops();
                case 6 -> wakeUpInDoubt();
                case 7 -> checkUnansweredAtASlowServer();
                case 8 -> slowClockAndUnnoticedSuspension();
                case 9 -> idleSeatDeleted();
                case 10 -> createsWithoutAnswer();
                default -> queueDeletedUnderAChain();
            }
            if (random.chance(0.3)) {
                mishaps.addAll(plan.mishaps());
            }
        }
        wishes.sort(Comparator.comparingLong(Wish::at));
        mishaps.sort(Comparator.comparingLong(Mishap::at));
        return plan.withFamilies(families)
                .withConditions(conditions, members)
                .withWishes(wishes)
                .withMishaps(mishaps);
    }

    /** M26, M34: the holder is cut off until its bucket is polled, and comes back while the sessions in it are closed. */
    private void reconnectWhileTheBucketIsClosed() {
        sameTimeoutEverywhere();
        conditions = conditions.withExpiryLoop(SimConditions.longestExpiryLoop(conditions.least()));
        long at = holdAndWait(4 * timeout);
        strike(
                SimFault.CLIENT_ISOLATED,
                at + random.between(timeout / 8, timeout),
                random.between(timeout * 9 / 10, timeout * 3 / 2));
    }

    /** M27: the next server grants a shorter timeout, and then the holder is cut off or stopped. */
    private void shorterTimeoutAtTheNextServer() {
        List<Integer> granted = new ArrayList<>(Collections.nCopies(SimEnsemble.VOTERS, plan.timeoutTicks()));
        granted.set(random.below(granted.size()), 2);
        conditions = conditions.withGranted(granted, 2);
        long at = holdAndWait(4 * timeout);
        long cut = at + random.between(timeout / 4, timeout);
        strike(random.chance(0.5) ? SimFault.CUT_BEFORE_SEND : SimFault.CUT_AFTER_SEND, cut, TICK);
        SimFault then = random.chance(0.5) ? SimFault.CLIENT_ISOLATED : SimFault.PAUSE;
        strike(then, cut + random.between(timeout / 16, timeout), timeout);
    }

    /** M29: the follower loses the touch by which the proof is dated, and stops before it tells of a later one. */
    private void touchLostBeforeTheFollowerStops() {
        conditions = conditions.withTouchesLost(1);
        long at = holdAndWait(3 * timeout);
        SimFault end = random.chance(0.5) ? SimFault.FOLLOWER_DEAF : SimFault.FOLLOWER_CUT;
        strike(end, at + random.between(0, timeout / 4), timeout * 3 / 2);
    }

    /** M32: nothing is left of the margin but what suspensions and drift do not use up. */
    private void slowClockAndUnnoticedSuspension() {
        sameTimeoutEverywhere();
        Member member = members.get(holder);
        members.set(holder, member.withDrift(-1_000_000 / SimPlan.DRIFT));
        long at = holdAndWait(4 * timeout);
        long cut = at + random.between(timeout / 4, timeout);
        reconnectAndBeCutOff(cut);
        boolean unnoticed = random.chance(0.6);
        long length = unnoticed ? timeout / SimPlan.UNNOTICED : random.between(timeout / 8, timeout / 2);
        // odd, so that it does not wait for a grant; both clocks stop, or, if it is to be noticed, the monotonic one
        // alone
        long choice = unnoticed && random.chance(0.5) ? 2 * 2 + 1 : 1;
        mishaps.add(new Mishap(
                SimFault.MACHINE_SUSPENDED, cut + TICK + random.between(0, timeout / 4), holder, length, choice));
    }

    /** The last touch is that of a reconnection, and the proof is dated by the attempt. */
    private void reconnectAndBeCutOff(long at) {
        strike(SimFault.CONNECTION_CUT, at, 0);
        strike(SimFault.CUT_OFF_AFTER_COMMIT, at + 1, 2 * timeout);
    }

    /** L25: a leader that was deposed while it was stopped is asked for what has become of a create. */
    private void answerOfADeposedLeader() {
        long at = random.between(timeout / 2, timeout);
        mishaps.add(new Mishap(SimFault.LEADER_PAUSED, at, holder, 20 * TICK, random.next() >>> 1));
        for (int i = 0; i < 8; i++) {
            long asked = at + random.between(0, 12 * TICK);
            wish(asked, random.chance(0.7) ? holder : rival, random.between(0, TICK), random.chance(0.3));
        }
    }

    /** M22: the proof rests on a ping that may have been the last one. */
    private void lastPingBeforeTheFollowerStops() {
        sameTimeoutEverywhere();
        conditions = conditions.withPingStall(conditions.pingStallBound());
        long at = holdAndWait(3 * timeout);
        if (random.chance(0.3)) {
            strike(
                    SimFault.PAUSE_THEN_FOLLOWER_STOPS,
                    at - random.between(0, timeout / 2),
                    random.between(timeout / 2, timeout * 7 / 10));
        } else {
            strike(SimFault.CUT_OFF_AFTER_COMMIT, at + random.between(0, timeout), 2 * timeout);
        }
    }

    /**
     * L20: the write that wakes the next waiter is lost with its connection, and permits become free for it; or that waiter is
     * away at the time.
     */
    private void wakeUpInDoubt() {
        int permits =
                plan.families().get(0).isSemaphore() ? plan.families().get(0).permits() : 1;
        long at = random.between(timeout / 2, timeout);
        for (int i = 0; i < permits; i++) {
            wishOf(1, at, rival, timeout + i * timeout / 4);
        }
        for (int i = 0; i < 3; i++) {
            wishOf(1, at + TICK / 2 + i * TICK / 4, (holder + i) % members.size(), 6 * timeout);
        }
        if (random.chance(0.3)) {
            int waiter = (holder + 1 + random.below(2)) % members.size();
            members.set(waiter, members.get(waiter).withNoise());
            long away = at + timeout - random.between(0, TICK / 2);
            mishaps.add(new Mishap(SimFault.CONNECTION_CUT, away, waiter, 0, random.next() >>> 1));
            return;
        }
        SimFault fault = random.oneOf(List.of(
                SimFault.REQUEST_DROPPED,
                SimFault.REQUEST_TIMEOUT,
                SimFault.CUT_BEFORE_SEND,
                SimFault.CUT_BEFORE_REPLY));
        strike(fault, at + timeout / 2, TICK);
    }

    /** L2: a server that lags behind lists a folder, and does not answer the check before the list. */
    private void checkUnansweredAtASlowServer() {
        long at = random.between(timeout / 2, timeout);
        mishaps.add(new Mishap(SimFault.FOLLOWER_SLOW, at, holder, 2 * timeout, SimFaults.CHECK_DROPPED));
        for (int i = 0; i < 3; i++) {
            wish(
                    at + random.between(0, timeout / 2),
                    random.chance(0.7) ? holder : rival,
                    random.between(0, TICK),
                    random.chance(0.3));
        }
    }

    /** An operator deletes a queue with its folder while a process passes the lock on among its own seats. */
    private void queueDeletedUnderAChain() {
        members.set(holder, members.get(holder).withHandOff(HandOff.strict()));
        long at = random.between(timeout / 2, timeout);
        for (int i = 0; i < 6; i++) {
            wish(at + random.between(0, timeout / 4), holder, random.between(0, timeout / 8), false);
            wish(at + random.between(0, timeout / 2), rival, random.between(0, timeout / 8), false);
        }
        mishaps.add(new Mishap(
                SimFault.QUEUE_DELETED, at + random.between(0, timeout / 2), holder, TICK, random.next() >>> 1));
        for (int i = random.below(3); i > 0; i--) {
            long soon = at + random.between(0, timeout / 2);
            mishaps.add(new Mishap(SimFault.QUEUE_DELETED, soon, holder, TICK, random.next() >>> 1));
            mishaps.add(new Mishap(
                    SimFault.QUEUE_DELETED,
                    soon + random.between(0, 4 * plan.longestDelay()),
                    holder,
                    TICK,
                    random.next() >>> 1));
        }
        if (random.chance(0.3)) {
            strike(SimFault.REQUEST_TIMEOUT, at + random.between(0, timeout / 2), TICK);
        }
    }

    /** M23: a process begins to watch the whole queue just when a writer in front becomes a reader. */
    private void writersBehindOneWhoBecomesAReader() {
        members.set(rival, members.get(rival).withHandOff(HandOff.strict()));
        long at = random.between(timeout, 2 * timeout);
        long hold = random.between(TICK / 4, TICK);
        long downgraded = at + hold * 2 / 3;
        long around = 6 * plan.longestDelay();
        wish(Demand.WRITE, Downgrade.WRITE_FIRST, at, holder, hold, false);
        wish(Demand.WRITE, at + hold / 3, rival, random.between(0, TICK / 4), false);
        for (int i = 0; i < 4; i++) {
            long soon = downgraded + random.between(-around, around);
            wish(Demand.WRITE, Math.max(at, soon), rival, random.between(0, TICK / 4), random.chance(0.2));
        }
        // so many that writes wait for each other
        for (int i = 0; i < 24; i++) {
            families.add(SimFamily.readWrite());
            wishes.add(new Wish(
                    Math.max(at, downgraded + random.between(-around, around)),
                    rival,
                    families.size() - 1,
                    Demand.READ,
                    Waiting.FOR_EVER,
                    timeout,
                    random.between(0, TICK / 8),
                    -1,
                    false,
                    false,
                    Downgrade.NONE));
        }
    }

    /** L20: an operator deletes a seat that lingers, and its process takes the lock again before the next check. */
    private void idleSeatDeleted() {
        members.set(
                holder,
                members.get(holder)
                        .withHandOff(HandOff.bounded(32, Duration.ofMinutes(1)).lingering(Duration.ofNanos(timeout))));
        long at = random.between(timeout, 2 * timeout);
        long idle = at + random.between(TICK / 4, TICK);
        wish(at, holder, TICK / 8, false);
        strike(SimFault.HEAD_DELETED, idle, 0);
        wish(idle + random.between(plan.longestDelay(), timeout / 4), holder, TICK / 8, false);
    }

    /**
     * L24: creates of one lock are lost together, then the answers to those that repeat them, at other places if one of them
     * has been given up meanwhile; then the deletion of a node.
     */
    private void createsWithoutAnswer() {
        members.set(holder, members.get(holder).withHandOff(HandOff.strict()));
        long at = random.between(timeout / 2, timeout);
        SimFault noAnswer = random.chance(0.5) ? SimFault.CUT_AFTER_SEND : SimFault.CUT_BEFORE_REPLY;
        long first = random.chance(0.5) ? SimFaults.AT_A_CREATE : SimFaults.AT_A_BATCH;
        aim(SimFault.CUT_BEFORE_SEND, at, first);
        aim(noAnswer, at, SimFaults.AT_A_BATCH);
        aim(noAnswer, at, SimFaults.AT_A_CREATE);
        aim(SimFault.REQUEST_DROPPED, at, SimFaults.AT_A_DELETION);
        for (int i = 0; i < 4; i++) {
            wish(at + random.between(0, plan.longestDelay()), holder, random.between(0, TICK), random.chance(0.5));
        }
        wish(at + random.between(0, timeout), rival, random.between(0, TICK), false);
    }

    private void aim(SimFault fault, long at, long choice) {
        mishaps.add(new Mishap(fault, at, holder, 0, choice));
    }

    /** A seat has given all tokens that its transaction has. */
    private void moreTurnsThanTokens() {
        members.set(
                holder, members.get(holder).withHandOff(HandOff.bounded(2 * Tokens.MAX_TURNS, Duration.ofHours(1))));
        for (int i = 0; i < TURNS_OF_A_SEAT; i++) {
            wishes.add(new Wish(
                    timeout,
                    holder,
                    0,
                    Demand.EXCLUSIVE,
                    Waiting.FOR_EVER,
                    timeout,
                    0,
                    -1,
                    false,
                    false,
                    Downgrade.NONE));
        }
    }

    /** One holds for so long, and another one waits. */
    private long holdAndWait(long hold) {
        long at = random.between(timeout, 2 * timeout);
        wish(at, holder, hold, false);
        wish(at + random.between(TICK / 8, timeout), rival, TICK / 8, false);
        return at;
    }

    /** For so many permits of a semaphore; of other locks as of any. */
    private void wishOf(int permits, long at, int process, long hold) {
        SimFamily family = plan.families().get(0);
        Demand demand = family.isSemaphore() ? Demand.permits(permits, family.permits()) : family.demand(random);
        wish(demand, at, process, hold, false);
    }

    private void wish(long at, int process, long hold, boolean impatient) {
        wish(plan.families().get(0).demand(random), at, process, hold, impatient);
    }

    private void wish(Demand demand, long at, int process, long hold, boolean impatient) {
        wish(demand, Downgrade.NONE, at, process, hold, impatient);
    }

    private void wish(Demand demand, Downgrade downgrade, long at, int process, long hold, boolean impatient) {
        wishes.add(new Wish(
                at,
                process,
                0,
                demand,
                impatient ? Waiting.UNTIL : Waiting.FOR_EVER,
                random.between(TICK / 8, timeout),
                hold,
                -1,
                false,
                false,
                downgrade));
    }

    private void strike(SimFault fault, long at, long length) {
        mishaps.add(new Mishap(fault, Math.max(0, at), holder, length, random.next() >>> 1));
    }

    private void sameTimeoutEverywhere() {
        int ticks = plan.timeoutTicks();
        conditions =
                conditions.withGranted(Collections.nCopies(conditions.granted().size(), ticks), ticks);
    }

    /** Nothing but the attack ends what this process holds. */
    private void openEnded(int process) {
        members.set(process, members.get(process).openEnded());
    }
}
