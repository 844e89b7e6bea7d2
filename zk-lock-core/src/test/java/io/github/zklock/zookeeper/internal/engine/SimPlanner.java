package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Downgrade;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Member;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Makes plans from seeds. */
final class SimPlanner {

    private static final long TICK = SimPlan.TICK;
    private static final long MILLI = 1_000_000L;

    /** Late and dropped hints come by the plan's chances, not at an instant; the numbers end in plans of their own. */
    private static final Set<SimFault> UNPLANNED = EnumSet.of(
            SimFault.HINT_LATE,
            SimFault.HINT_DROPPED,
            SimFault.SEQUENCE_NEAR_END,
            SimFault.CUT_OFF_AFTER_COMMIT,
            SimFault.TOUCH_LOST,
            SimFault.PING_STALLED,
            SimFault.TOUCHED_IN_VAIN,
            SimFault.SESSION_REPLACED,
            SimFault.LIMITS_DIFFER,
            SimFault.CLOCK_DRIFT,
            SimFault.OBSERVED);

    /** What seldom finds a victim comes more often. */
    private static final List<SimFault> PLANNED = Stream.concat(
                    Stream.of(SimFault.values()).filter(fault -> !UNPLANNED.contains(fault)),
                    Stream.of(
                            SimFault.PAUSE_HOLDER,
                            SimFault.PAUSE_HOLDER,
                            SimFault.WAITING_SEAT_DELETED,
                            SimFault.WAITING_SEAT_DELETED,
                            SimFault.EXPIRY_BY_CLIENT,
                            SimFault.EXPIRY_BY_CLIENT,
                            SimFault.HEAD_DELETED,
                            SimFault.CUT_BEFORE_SEND,
                            SimFault.CUT_AFTER_SEND,
                            SimFault.REQUEST_TIMEOUT,
                            SimFault.REQUEST_DROPPED,
                            SimFault.CONTAINER_COLLECTED))
            .toList();

    private static final double MISTAKES = 0.08;
    private static final double READERS = 0.25;
    private static final double CHAINS = 0.3;
    private static final double OBSERVERS = 0.3;
    private static final double RUSHES = 0.2;
    private static final double TOGETHER = 0.2;
    /** More than may be under way at once. */
    private static final int LOCKS_OF_A_RUSH = 8;

    private final SimRandom random;
    /** Apart, so that a seed plans the same disturbances for all kinds. */
    private final SimRandom kindRandom;

    private final SimRandom serverRandom;
    private final SimRandom rushRandom;
    private final SimRandom togetherRandom;
    private final SimKinds kinds;
    private final int timeoutTicks;
    private final long timeout;
    private final long window;

    private SimPlanner(long seed, SimKinds kinds) {
        this.random = new SimRandom(seed);
        this.kindRandom = new SimRandom(seed ^ 0x6B696E6473L);
        this.serverRandom = new SimRandom(seed ^ 0x73657276657273L);
        this.rushRandom = new SimRandom(seed ^ 0x72757368L);
        this.togetherRandom = new SimRandom(seed ^ 0x746F676574L);
        this.kinds = kinds;
        this.timeoutTicks = 2 + random.below(9);
        this.timeout = timeoutTicks * TICK;
        this.window = random.between(timeout * 3 / 2, timeout * 7 / 2);
    }

    static SimPlan plan(long seed, SimKinds kinds) {
        SimPlan plan = ordinary(seed, kinds);
        return new SimRandom(~seed).below(SimAttacks.SHARE) == 0 ? SimAttacks.inPlaceOf(plan) : plan;
    }

    /** A plan that is no attack. */
    static SimPlan ordinary(long seed, SimKinds kinds) {
        return new SimPlanner(seed, kinds).make(seed);
    }

    private SimPlan make(long seed) {
        int processes = 2 + random.below(3);
        int locks = random.chance(0.75) ? 1 : 2;
        List<SimFamily> families = new ArrayList<>(
                Stream.generate(() -> kinds.family(kindRandom)).limit(locks).toList());
        boolean heavy = random.chance(0.4);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            members.add(member());
        }
        List<Wish> wishes = wishes(processes, families);
        List<Mishap> mishaps = mishaps(processes);
        if (families.get(0).isExclusive() && kindRandom.chance(CHAINS)) {
            int process = kindRandom.below(processes);
            long at = kindRandom.between(0, window);
            members.set(process, members.get(process).withHandOff(HandOff.strict()));
            wishes.addAll(chain(process, at));
            wishes.sort(Comparator.comparingLong(Wish::at));
            if (kindRandom.chance(0.5)) {
                mishaps.add(new Mishap(SimFault.WAITING_SEAT_DELETED, at + timeout / 8, process, 0, 0));
                mishaps.sort(Comparator.comparingLong(Mishap::at));
            }
        }
        if (rushRandom.chance(RUSHES)) {
            rush(rushRandom.below(processes), families, wishes);
        }
        if (togetherRandom.chance(TOGETHER)) {
            together(processes, families, wishes);
        }
        SimConditions conditions = conditions();
        long shortest = conditions.least() * TICK;
        return new SimPlan(
                seed,
                timeoutTicks,
                random.oneOf(List.of(2, 5, 10)),
                random.oneOf(List.of(2 * MILLI, 6 * MILLI, 25 * MILLI)),
                heavy ? 0.01 + random.unit() * 0.05 : 0,
                heavy ? random.between(shortest / 60, shortest / 30) : 0,
                List.copyOf(families),
                random.chance(0.5),
                random.chance(0.3) ? 0.3 : 0,
                random.chance(0.3) ? 0.3 : 0,
                window,
                conditions,
                members,
                wishes,
                mishaps);
    }

    private Member member() {
        return new Member(
                handOff(),
                random.chance(0.7),
                random.chance(0.5),
                random.chance(0.1) ? random.between(timeout / 4, timeout) : 0,
                random.chance(0.06) ? random.between(window / 4, window) : 0,
                random.chance(0.5),
                drift());
    }

    private int drift() {
        int most = 1_000_000 / SimPlan.DRIFT;
        double dice = serverRandom.unit();
        return dice < 0.5 ? 0 : dice < 0.7 ? most : dice < 0.85 ? -most : (int) serverRandom.between(-most, most);
    }

    private SimConditions conditions() {
        int least = serverRandom.chance(0.5) ? timeoutTicks : 2 + serverRandom.below(timeoutTicks - 1);
        List<Integer> granted = Stream.generate(() -> least + serverRandom.below(timeoutTicks - least + 1))
                .limit(SimEnsemble.VOTERS)
                .toList();
        SimConditions conditions = new SimConditions(
                granted,
                least,
                serverRandom.chance(0.3) ? 0 : SimConditions.longestExpiryLoop(least),
                serverRandom.chance(0.5) ? 0 : SimConditions.pingStallBound(least, false),
                serverRandom.chance(0.3) ? 0.3 : 0,
                serverRandom.chance(0.15));
        return least >= SimPlan.OBSERVED_FROM && serverRandom.chance(OBSERVERS)
                ? conditions.withObserver(least + serverRandom.below(timeoutTicks - least + 1))
                : conditions;
    }

    private HandOff handOff() {
        if (random.chance(0.3)) {
            return HandOff.strict();
        }
        Duration maxTime = Duration.ofNanos(random.between(timeout / 16, timeout));
        HandOff bounded = HandOff.bounded(1 + random.below(4), maxTime);
        return random.chance(0.4) ? bounded.lingering(Duration.ofNanos(random.between(MILLI, timeout))) : bounded;
    }

    private List<Wish> wishes(int processes, List<SimFamily> families) {
        int count = 3 + random.below(7);
        List<Wish> wishes = new ArrayList<>(count);
        long crowd = random.between(0, window);
        boolean mistakes = kinds != SimKinds.EXCLUSIVE && kindRandom.chance(MISTAKES);
        for (int i = 0; i < count; i++) {
            boolean inCrowd = random.chance(0.4);
            long at = inCrowd ? crowd + random.between(0, TICK / 2) : random.between(0, window);
            int process = random.below(processes);
            int lock = random.below(families.size());
            Demand demand = demand(families.get(lock), mistakes);
            wishes.add(new Wish(
                    at,
                    process,
                    lock,
                    demand,
                    waiting(),
                    random.between(TICK / 8, 2 * timeout),
                    hold(),
                    random.chance(0.15) ? random.between(0, random.chance(0.5) ? TICK / 4 : timeout) : -1,
                    random.chance(0.06),
                    random.chance(0.15) && demand.kind() != LockKind.PERMITS,
                    downgrade(demand)));
        }
        if (families.get(0).equals(SimFamily.readWrite()) && kindRandom.chance(READERS)) {
            wishes.addAll(readers(kindRandom.below(processes)));
        }
        wishes.sort(Comparator.comparingLong(Wish::at));
        return wishes;
    }

    /** A stream of readers in one process, which may keep no writer of another one out. */
    private List<Wish> readers(int process) {
        return Stream.generate(() -> new Wish(
                        kindRandom.between(0, window),
                        process,
                        0,
                        Demand.READ,
                        Waiting.FOR_EVER,
                        timeout,
                        kindRandom.between(timeout / 4, timeout),
                        -1,
                        false,
                        false,
                        Downgrade.NONE))
                .limit(6)
                .toList();
    }

    /** Threads of one process that queue behind each other. */
    private List<Wish> chain(int process, long at) {
        return Stream.generate(() -> new Wish(
                        at + kindRandom.between(0, timeout / 4),
                        process,
                        0,
                        Demand.EXCLUSIVE,
                        kindRandom.chance(0.7) ? Waiting.FOR_EVER : Waiting.UNTIL,
                        kindRandom.between(TICK / 8, 2 * timeout),
                        kindRandom.between(0, timeout / 4),
                        -1,
                        false,
                        false,
                        Downgrade.NONE))
                .limit(5)
                .toList();
    }

    /** Threads of one process that ask for many locks at once, and again when they have released them. */
    private void rush(int process, List<SimFamily> families, List<Wish> wishes) {
        long at = rushRandom.between(0, window);
        for (int i = 0; i < LOCKS_OF_A_RUSH; i++) {
            SimFamily family = kinds.family(rushRandom);
            int lock = families.size();
            families.add(family);
            for (int times = 1 + rushRandom.below(3); times > 0; times--) {
                wishes.add(new Wish(
                        at + rushRandom.between(0, 2 * MILLI),
                        process,
                        lock,
                        demand(family, false),
                        rushRandom.chance(0.7) ? Waiting.FOR_EVER : Waiting.UNTIL,
                        rushRandom.between(TICK / 8, 2 * timeout),
                        rushRandom.between(0, timeout / 16),
                        rushRandom.chance(0.1) ? rushRandom.between(0, TICK / 4) : -1,
                        false,
                        false,
                        Downgrade.NONE));
            }
        }
        wishes.sort(Comparator.comparingLong(Wish::at));
    }

    /** Threads of several processes that ask for locks together. */
    private void together(int processes, List<SimFamily> families, List<Wish> wishes) {
        while (families.size() < 3) {
            families.add(kinds.family(togetherRandom));
        }
        long crowd = togetherRandom.between(0, window);
        for (int times = 2 + togetherRandom.below(4); times > 0; times--) {
            int process = togetherRandom.below(processes);
            long at = crowd + togetherRandom.between(0, TICK);
            boolean first = true;
            for (int lock = 0; lock < families.size(); lock++) {
                if (togetherRandom.chance(0.7)) {
                    Wish wish = new Wish(
                            at,
                            process,
                            lock,
                            families.get(lock).demand(togetherRandom),
                            togetherRandom.chance(0.7) ? Waiting.FOR_EVER : Waiting.UNTIL,
                            togetherRandom.between(TICK / 8, 2 * timeout),
                            togetherRandom.between(0, timeout / 4),
                            togetherRandom.chance(0.1) ? togetherRandom.between(0, TICK / 4) : -1,
                            false,
                            false,
                            Downgrade.NONE);
                    wishes.add(first ? wish : wish.askedBehind());
                    first = false;
                }
            }
        }
        wishes.sort(Comparator.comparingLong(Wish::at));
    }

    private Demand demand(SimFamily family, boolean mistakes) {
        return mistakes && kindRandom.chance(0.2) ? family.mistaken(kindRandom) : family.demand(kindRandom);
    }

    private Downgrade downgrade(Demand demand) {
        return demand.kind() == LockKind.WRITE && kindRandom.chance(0.4)
                ? kindRandom.chance(0.75) ? Downgrade.WRITE_FIRST : Downgrade.READ_FIRST
                : Downgrade.NONE;
    }

    private Waiting waiting() {
        double dice = random.unit();
        return dice < 0.5 ? Waiting.FOR_EVER : dice < 0.82 ? Waiting.UNTIL : Waiting.NOT_AT_ALL;
    }

    private long hold() {
        double dice = random.unit();
        return dice < 0.45
                ? random.between(0, timeout / 16)
                : dice < 0.85 ? random.between(0, timeout / 2) : random.between(timeout / 2, 2 * timeout);
    }

    private List<Mishap> mishaps(int processes) {
        int count = 1 + random.below(6);
        List<Mishap> mishaps = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SimFault fault = random.chance(0.08)
                    ? SimFault.PAUSE_THEN_FOLLOWER_STOPS
                    : PLANNED.get(random.below(PLANNED.size()));
            mishaps.add(new Mishap(
                    fault,
                    random.between(window / 20, fault == SimFault.PAUSE_HOLDER ? window / 2 : window),
                    random.below(processes),
                    length(fault),
                    random.next() >>> 1));
        }
        return mishaps;
    }

    private long length(SimFault fault) {
        return switch (fault) {
            case PAUSE, PAUSE_HOLDER -> random.between(timeout / 5, 2 * timeout);
            case FOLLOWER_PAUSED -> random.between(TICK / 8, timeout * 3 / 2);
            case LEADER_PAUSED -> random.chance(0.3) ? random.between(TICK / 8, timeout) : 15 * TICK;
            case LIMITS_CHANGED -> random.between(TICK, timeout);
            case PAUSE_THEN_FOLLOWER_STOPS -> random.between(timeout * 11 / 20, timeout * 13 / 20);
            case MACHINE_SUSPENDED ->
                random.chance(0.5) ? random.between(1, timeout / 5) : random.between(timeout / 5, 2 * timeout);
            case ENSEMBLE_DOWN ->
                random.chance(0.6)
                        ? random.between(timeout * 4 / 3, timeout * 2)
                        : random.between(timeout / 4, timeout);
            // about as long as it takes to expire whom the follower no longer tells of
            case FOLLOWER_DEAF -> random.between(timeout * 3 / 4, timeout * 5 / 4);
            default -> random.between(timeout / 4, timeout * 3 / 2);
        };
    }
}
