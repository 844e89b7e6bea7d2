package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.List;

/**
 * One schedule before it runs: who asks for what and when, and what goes wrong. The seed decides the rest, such as the
 * delays of messages, so that a plan from which something was dropped still runs.
 *
 * @param window the time in which claims and faults begin
 */
record SimPlan(
        long seed,
        int timeoutTicks,
        int syncLimit,
        long longestDelay,
        double tailChance,
        long tailMean,
        List<SimFamily> families,
        boolean foldersExist,
        double hintsLate,
        double hintsDropped,
        long window,
        SimConditions conditions,
        List<Member> members,
        List<Wish> wishes,
        List<Mishap> mishaps) {

    static final long TICK = 500_000_000L;
    /** Servers grant no session timeout of fewer ticks. */
    static final int LEAST_TICKS = 2;
    /** So many session timeouts may the leader take to close a bucket of sessions. It is an end, not a bound. */
    static final int LONGEST_CLOSING = 3;

    // the bounds that docs/internals/session-proof.md states, as parts of the session timeout
    /** Two pings of the leader are not further apart. */
    static final int PINGS = 3;
    /** Clocks of clients and servers drift by no more. */
    static final int DRIFT = 48;
    /** Where there are observers behind an observer master, no server grants fewer ticks. */
    static final int OBSERVED_FROM = 4;
    /** A client learns of a connection, if its timeout is a shorter one, before that is over but for this part of it. */
    static final int UNHEARD = 12;
    /** An observer's touches are no longer on their way to its observer master. */
    static final int ON_THE_WAY = 12;
    /** A suspension that is no longer need not be noticed. */
    static final int UNNOTICED = 24;
    /** Nor need a standstill of a server that is no longer. */
    static final int STANDSTILL = 4;

    /** A lapsed proof is renewed by five round trips and 7/12 of the timeout: slower links are too slow for it. */
    SimPlan {
        longestDelay = Math.min(longestDelay, conditions.least() * TICK / 80);
        tailMean = Math.min(tailMean, conditions.least() * TICK / 30);
    }

    /**
     * A process.
     *
     * @param closesAt when its engine closes; 0 for not before the end
     * @param closesAtEnd whether its engine closes then, or just idles
     * @param drift how much faster its monotonic clock runs than the servers', in millionths
     */
    record Member(
            HandOff handOff,
            boolean ownsClient,
            boolean noisy,
            long maxHold,
            long closesAt,
            boolean closesAtEnd,
            int drift) {

        Member withDrift(int millionths) {
            return new Member(handOff, ownsClient, noisy, maxHold, closesAt, closesAtEnd, millionths);
        }

        Member withHandOff(HandOff other) {
            return new Member(other, ownsClient, noisy, maxHold, closesAt, closesAtEnd, drift);
        }

        /** The same with a client that uses watches up when its connection breaks. */
        Member withNoise() {
            return new Member(handOff, ownsClient, true, maxHold, closesAt, closesAtEnd, drift);
        }

        /** The same without a limit of its holds, and not closed before the end. */
        Member openEnded() {
            return new Member(handOff, ownsClient, noisy, 0, 0, closesAtEnd, drift);
        }
    }

    /**
     * What somebody asks for.
     *
     * @param downgrade what becomes of a writer's turn
     */
    record Wish(
            long at,
            int process,
            int lock,
            Demand demand,
            Waiting waiting,
            long limit,
            long hold,
            long cancelAfter,
            boolean abandons,
            boolean reenters,
            Downgrade downgrade,
            boolean behind) {

        Wish(
                long at,
                int process,
                int lock,
                Demand demand,
                Waiting waiting,
                long limit,
                long hold,
                long cancelAfter,
                boolean abandons,
                boolean reenters,
                Downgrade downgrade) {
            this(at, process, lock, demand, waiting, limit, hold, cancelAfter, abandons, reenters, downgrade, false);
        }

        Wish movedTo(long instant) {
            return new Wish(
                    instant,
                    process,
                    lock,
                    demand,
                    waiting,
                    limit,
                    hold,
                    cancelAfter,
                    abandons,
                    reenters,
                    downgrade,
                    behind);
        }

        /** Asked for together with the one before it: granted only at once, and only if that one is. */
        Wish askedBehind() {
            return new Wish(
                    at, process, lock, demand, Waiting.NOT_AT_ALL, limit, hold, -1, false, false, Downgrade.NONE, true);
        }

        boolean isBehind(Wish before) {
            return behind && before.at == at && before.process == process && before.lock != lock;
        }
    }

    enum Waiting {
        FOR_EVER,
        UNTIL,
        NOT_AT_ALL
    }

    /** Whether a writer takes the read lock, too, and which of both it gives back first. */
    enum Downgrade {
        NONE,
        WRITE_FIRST,
        READ_FIRST
    }

    /** Something that goes wrong. */
    record Mishap(SimFault fault, long at, int target, long length, long choice) {}

    int locks() {
        return families.size();
    }

    long timeout() {
        return timeoutTicks * TICK;
    }

    SimPlan withWishes(List<Wish> some) {
        return with(conditions, members, some, mishaps);
    }

    SimPlan withFamilies(List<SimFamily> some) {
        return with(some, conditions, members, wishes, mishaps);
    }

    SimPlan withMishaps(List<Mishap> some) {
        return with(conditions, members, wishes, some);
    }

    SimPlan withConditions(SimConditions other, List<Member> others) {
        return with(other, others, wishes, mishaps);
    }

    /** The same while nothing goes wrong. */
    SimPlan undisturbed() {
        return new SimPlan(
                seed,
                timeoutTicks,
                syncLimit,
                longestDelay,
                0,
                0,
                families,
                foldersExist,
                0,
                0,
                window,
                conditions.kind(),
                members,
                wishes,
                List.of());
    }

    /** Whether this goes wrong, or may go wrong, by this plan. */
    boolean includes(SimFault fault) {
        return switch (fault) {
            case HINT_LATE -> hintsLate > 0;
            case HINT_DROPPED -> hintsDropped > 0;
            case CLOCK_DRIFT -> members.stream().anyMatch(member -> member.drift() != 0);
            default -> conditions.include(fault) || mishaps.stream().anyMatch(mishap -> mishap.fault() == fault);
        };
    }

    /** The same where this does not go wrong. */
    SimPlan without(SimFault fault) {
        return new SimPlan(
                seed,
                timeoutTicks,
                syncLimit,
                longestDelay,
                tailChance,
                tailMean,
                families,
                foldersExist,
                fault == SimFault.HINT_LATE ? 0 : hintsLate,
                fault == SimFault.HINT_DROPPED ? 0 : hintsDropped,
                window,
                conditions.without(fault),
                fault == SimFault.CLOCK_DRIFT
                        ? members.stream().map(member -> member.withDrift(0)).toList()
                        : members,
                wishes,
                mishaps.stream().filter(mishap -> mishap.fault() != fault).toList());
    }

    private SimPlan with(
            SimConditions others, List<Member> otherMembers, List<Wish> someWishes, List<Mishap> someMishaps) {
        return with(families, others, otherMembers, someWishes, someMishaps);
    }

    private SimPlan with(
            List<SimFamily> someFamilies,
            SimConditions others,
            List<Member> otherMembers,
            List<Wish> someWishes,
            List<Mishap> someMishaps) {
        return new SimPlan(
                seed,
                timeoutTicks,
                syncLimit,
                longestDelay,
                tailChance,
                tailMean,
                someFamilies,
                foldersExist,
                hintsLate,
                hintsDropped,
                window,
                others,
                otherMembers,
                someWishes,
                someMishaps);
    }

    /** The plan as lines of text. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add(
                ("timeout %d ticks of %d ms, sync limit %d ticks, delays up to %.1f ms, tail %.3f of %.1f ms, locks %s,"
                                + " window %.0f ms")
                        .formatted(
                                timeoutTicks,
                                TICK / 1_000_000,
                                syncLimit,
                                longestDelay / 1e6,
                                tailChance,
                                tailMean / 1e6,
                                families,
                                window / 1e6));
        lines.add(conditions.toString());
        for (int i = 0; i < members.size(); i++) {
            lines.add("p" + i + " " + members.get(i));
        }
        wishes.forEach(wish -> lines.add(wish.toString()));
        mishaps.forEach(mishap -> lines.add(mishap.toString()));
        return lines;
    }
}
