package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Behaviour of the servers of a schedule towards their clients, within the assumptions of
 * docs/internals/session-proof.md.
 *
 * @param granted the session timeout that each server grants at first, in ticks (M27); of an observer, if there is one,
 *     the last
 * @param least the shortest timeout, in ticks, that any server grants at any time
 * @param longestExpiryLoop the longest time that the leader takes to close a bucket of sessions (M26, M34)
 * @param longestPingStall how much later than half a tick after the last one the leader may ping
 * @param touchesLost the probability that a swap of touch tables loses a touch (M29)
 * @param silentSessions whether a client whose session is over is given another one without being told (M33)
 */
record SimConditions(
        List<Integer> granted,
        int least,
        long longestExpiryLoop,
        long longestPingStall,
        double touchesLost,
        boolean silentSessions) {

    /** The same where servers do nothing of this kind. */
    SimConditions kind() {
        return new SimConditions(granted, least, 0, 0, 0, false);
    }

    /** Nothing is assumed of the time that a leader takes to close a bucket: here it has an end. */
    static long longestExpiryLoop(int ticks) {
        return ticks * SimPlan.TICK * SimPlan.LONGEST_CLOSING;
    }

    /**
     * What the assumptions allow where the shortest session timeout has so many ticks.
     *
     * @param observer whether there is an observer, whose touches wait for half a tick, and are on their way to its observer
     *     master, before they wait for the leader's ping
     */
    static long pingStallBound(int ticks, boolean observer) {
        long timeout = ticks * SimPlan.TICK;
        return timeout / SimPlan.PINGS
                - SimPlan.TICK / 2
                - (observer ? SimPlan.TICK / 2 + timeout / SimPlan.ON_THE_WAY : 0);
    }

    /** What the assumptions allow here. */
    long pingStallBound() {
        return pingStallBound(least, observer());
    }

    SimConditions withGranted(List<Integer> ticks, int shortest) {
        List<Integer> some = shortest < SimPlan.OBSERVED_FROM ? ticks.subList(0, SimEnsemble.VOTERS) : ticks;
        return new SimConditions(
                some,
                shortest,
                Math.min(longestExpiryLoop, longestExpiryLoop(shortest)),
                Math.min(longestPingStall, pingStallBound(shortest, some.size() > SimEnsemble.VOTERS)),
                touchesLost,
                silentSessions);
    }

    /** The same beside an observer that grants so many ticks. */
    SimConditions withObserver(int ticks) {
        List<Integer> all = new ArrayList<>(granted);
        all.add(ticks);
        return new SimConditions(
                List.copyOf(all),
                least,
                longestExpiryLoop,
                Math.max(0, Math.min(longestPingStall, pingStallBound(least, true))),
                touchesLost,
                silentSessions);
    }

    /** Whether there is an observer behind an observer master. */
    boolean observer() {
        return granted.size() > SimEnsemble.VOTERS;
    }

    SimConditions withExpiryLoop(long longest) {
        return new SimConditions(granted, least, longest, longestPingStall, touchesLost, silentSessions);
    }

    SimConditions withPingStall(long longest) {
        return new SimConditions(granted, least, longestExpiryLoop, longest, touchesLost, silentSessions);
    }

    SimConditions withTouchesLost(double probability) {
        return new SimConditions(granted, least, longestExpiryLoop, longestPingStall, probability, silentSessions);
    }

    /** Whether this happens, or may happen, by these conditions. */
    boolean include(SimFault fault) {
        return switch (fault) {
            case LIMITS_DIFFER -> granted.stream().distinct().count() > 1;
            case TOUCHED_IN_VAIN -> longestExpiryLoop > 0;
            case PING_STALLED -> longestPingStall > 0;
            case TOUCH_LOST -> touchesLost > 0;
            case SESSION_REPLACED -> silentSessions;
            case OBSERVED -> observer();
            default -> false;
        };
    }

    /** The same where this does not happen. */
    SimConditions without(SimFault fault) {
        List<Integer> others = fault == SimFault.OBSERVED ? granted.subList(0, SimEnsemble.VOTERS) : granted;
        int most = Collections.max(others);
        return new SimConditions(
                fault == SimFault.LIMITS_DIFFER ? Collections.nCopies(others.size(), most) : others,
                least,
                fault == SimFault.TOUCHED_IN_VAIN ? 0 : longestExpiryLoop,
                fault == SimFault.PING_STALLED ? 0 : longestPingStall,
                fault == SimFault.TOUCH_LOST ? 0 : touchesLost,
                fault != SimFault.SESSION_REPLACED && silentSessions);
    }
}
