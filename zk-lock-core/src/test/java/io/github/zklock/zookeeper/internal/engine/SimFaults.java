package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.engine.SimTroubles.Ambush;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets things go wrong as planned, counts what really did, and heals everything in the end. */
final class SimFaults {

    /** What disturbs no connection, no session and no clock. */
    private static final Set<SimFault> HARMLESS = EnumSet.of(
            SimFault.HEAD_DELETED,
            SimFault.WAITING_SEAT_DELETED,
            SimFault.SEAT_REWRITTEN,
            SimFault.FOREIGN_CONTENDER,
            SimFault.FOREIGN_CHILD,
            SimFault.SEQUENCE_NEAR_END,
            SimFault.CLOCK_STEP);

    /** The choice of a slow follower to which a check is lost as well. */
    static final long CHECK_DROPPED = 1;

    /** The choices of faults that wait for one kind of request, where others wait for any. */
    static final long AT_A_CREATE = 1;

    static final long AT_A_DELETION = 2;
    static final long AT_A_BATCH = 3;

    private static final Map<Long, Kind> AIMED =
            Map.of(AT_A_CREATE, Kind.CREATE, AT_A_DELETION, Kind.DELETE, AT_A_BATCH, Kind.BATCH);

    private static final List<Kind> AMBUSHED =
            Arrays.asList(Kind.CREATE, Kind.LIST, Kind.DELETE, Kind.CHECK, Kind.SYNC, Kind.READ, null);

    private final SimWorld world;
    private final SimRandom random;
    private final SimServerFaults servers;
    private final SimOperator operator;
    private final List<Runnable> cures = new ArrayList<>();
    /** Processes that are to stop when they are granted a lock, with the time for which. */
    private final List<Mishap> awaitingGrant = new ArrayList<>(1);
    /** Sessions whose next commit is the last that their server lives to see. */
    private final List<Mishap> awaitingCommit = new ArrayList<>(1);

    private long healedAt;
    private long busyUntil = Long.MIN_VALUE;
    /** Until then seats of an engine that was replaced may stand in the way. */
    private long replacedUntil = Long.MIN_VALUE;

    private boolean begun;

    SimFaults(SimWorld world) {
        this.world = world;
        this.random = new SimRandom(world.plan().seed() ^ 0x1234567L);
        this.servers = new SimServerFaults(world, random, cures);
        this.operator = new SimOperator(world, random);
    }

    void healAt(long instant) {
        healedAt = instant;
    }

    long healedAt() {
        return healedAt;
    }

    /** An engine was replaced after an error. */
    void disturbed() {
        begun = true;
        replacedUntil = world.now() + 2 * world.timeout();
        busyUntil = Math.max(busyUntil, world.now() + 4 * world.timeout());
    }

    /** Whether seats of an engine that was replaced may stand in the way. */
    boolean maySeatsBeLeft() {
        return world.now() < replacedUntil;
    }

    /** Whether nothing more is to go wrong. */
    boolean isHealing() {
        return healedAt > 0 && world.now() >= healedAt;
    }

    /** Whether nothing that disturbs is under way, or was lately. */
    boolean areQuiet() {
        return world.now() > busyUntil;
    }

    /** Whether nothing has gone wrong since this instant. */
    boolean areQuietSince(long instant) {
        return instant > busyUntil;
    }

    boolean anyBegun() {
        return begun;
    }

    void begin(Mishap mishap) {
        begun |= mishap.fault() == SimFault.CLOCK_STEP;
        if (!HARMLESS.contains(mishap.fault())) {
            begun = true;
            busyUntil = Math.max(busyUntil, world.now() + mishap.length() + 2 * world.timeout());
        }
        SimProcess process = world.processes().get(mishap.target());
        world.trace().note("FAULT", mishap.target(), mishap.fault(), mishap.length());
        switch (mishap.fault()) {
            case CUT_BEFORE_SEND -> ambush(process, mishap, SimTrouble.CUT_BEFORE_SEND, 1);
            case CUT_AFTER_SEND -> ambush(process, mishap, SimTrouble.CUT_AFTER_SEND, 1);
            case CUT_BEFORE_REPLY -> ambush(process, mishap, SimTrouble.CUT_BEFORE_REPLY, 1);
            case CUTS_IN_A_ROW -> {
                SimTrouble trouble = random.oneOf(
                        List.of(SimTrouble.CUT_BEFORE_SEND, SimTrouble.CUT_AFTER_SEND, SimTrouble.CUT_BEFORE_REPLY));
                ambush(process, mishap, trouble, 2 + random.below(2));
            }
            case REQUEST_TIMEOUT -> ambush(process, mishap, SimTrouble.NONE, 1);
            case REQUEST_DROPPED -> ambush(process, mishap, SimTrouble.DROPPED, 1);
            case PAUSE -> {
                hit(mishap);
                process.pause(mishap.length());
            }
            case PAUSE_HOLDER -> awaitingGrant.add(mishap);
            case PAUSE_THEN_FOLLOWER_STOPS -> {
                process.pause(mishap.length());
                world.scheduler().after(mishap.length(), () -> awaitingCommit.add(mishap));
            }
            case EXPIRY_BY_CLIENT -> {
                if (mishap.choice() % 3 == 0) {
                    expire(process, mishap);
                } else {
                    awaitingGrant.add(mishap);
                }
            }
            case CLIENT_RESET -> {
                hit(mishap);
                process.enter(process::resetClient);
            }
            case CLIENT_ISOLATED -> {
                hit(mishap);
                process.isolate(true);
                cure(mishap.length(), () -> process.isolate(false));
            }
            case CONNECTION_CUT -> {
                hit(mishap);
                process.enter(() -> process.client().cut());
            }
            case CUT_OFF_AFTER_COMMIT -> awaitingCommit.add(mishap);
            case CLOCK_STEP -> {
                hit(mishap);
                // backwards only while the machine runs: a step back by as much as it stands still hides that it did
                long least = process.isSuspended() ? 0 : -2 * world.timeout();
                process.clocks().stepWallClock(random.between(least, 2 * world.timeout()));
            }
            case READ_ONLY -> {
                hit(mishap);
                long until = world.now() + mishap.length();
                process.enter(() -> process.client().readOnly(until));
            }
            case HEAD_DELETED,
                    WAITING_SEAT_DELETED,
                    SEAT_REWRITTEN,
                    CONTAINER_COLLECTED,
                    QUEUE_DELETED,
                    FOREIGN_CONTENDER,
                    FOREIGN_CHILD,
                    SEQUENCE_NEAR_END -> operator.act(mishap, 16);
            case FOLLOWER_SLOW -> {
                servers.begin(mishap, process);
                SimTrouble trouble = random.chance(0.5) ? SimTrouble.CUT_AFTER_SEND : SimTrouble.CUT_BEFORE_REPLY;
                process.troubles.lay(new Ambush(Kind.CREATE, trouble, 1, () -> {}));
                if (mishap.choice() == CHECK_DROPPED) {
                    process.troubles.lay(new Ambush(Kind.CHECK, SimTrouble.DROPPED, 1, () -> {}));
                }
            }
            case MACHINE_SUSPENDED -> {
                if (mishap.choice() % 2 == 0) {
                    awaitingGrant.add(mishap);
                } else {
                    hit(mishap);
                    suspend(process, mishap);
                }
            }
            case LEADER_PAUSED -> {
                SimServer paused = servers.pauseLeader(mishap);
                SimTrouble trouble = random.chance(0.5) ? SimTrouble.CUT_AFTER_SEND : SimTrouble.CUT_BEFORE_REPLY;
                Kind kind = random.chance(0.6) ? Kind.CREATE : random.oneOf(AMBUSHED);
                long later = random.between(0, 2 * world.plan().longestDelay());
                process.troubles.lay(new Ambush(
                        kind, trouble, 1, () -> world.scheduler().after(later, () -> servers.goOn(paused))));
            }
            default -> servers.begin(mishap, process);
        }
    }

    /** Everything works again, and goes on working. */
    void healAll() {
        cures.forEach(Runnable::run);
        cures.clear();
        awaitingGrant.clear();
        awaitingCommit.clear();
        world.ensemble().heal();
        for (SimProcess process : world.processes()) {
            process.troubles.clear();
            process.wake();
        }
    }

    /** How long after a change its hint comes; empty if it is lost. (M9) */
    Optional<Long> hintDelay(SimRandom of) {
        if (of.chance(world.plan().hintsDropped())) {
            world.tally().hit(SimFault.HINT_DROPPED);
            return Optional.empty();
        }
        if (of.chance(world.plan().hintsLate())) {
            world.tally().hit(SimFault.HINT_LATE);
            return Optional.of(of.between(0, world.timeout() / 4));
        }
        return Optional.of(of.between(0, 100_000));
    }

    void granted(SimProcess process) {
        for (Mishap mishap : List.copyOf(awaitingGrant)) {
            if (mishap.target() == process.id()) {
                awaitingGrant.remove(mishap);
                long soon = random.between(0, world.timeout() / 8);
                busyUntil = Math.max(busyUntil, world.now() + soon + mishap.length() + 2 * world.timeout());
                world.scheduler().after(soon, () -> {
                    if (world.now() >= healedAt) {
                        return;
                    }
                    strike(process, mishap);
                });
            }
        }
    }

    void committed(SimTxn txn) {
        if (txn.request().kind == Kind.COLLECT && txn.outcome() == Outcome.OK) {
            world.tally().hit(SimFault.CONTAINER_COLLECTED);
        }
        if (awaitingCommit.isEmpty() || txn.session() == 0) {
            return;
        }
        for (Mishap mishap : List.copyOf(awaitingCommit)) {
            SimConnection connection =
                    world.processes().get(mishap.target()).client().connection();
            if (connection != null && connection.session == txn.session()) {
                awaitingCommit.remove(mishap);
                hit(mishap);
                busyUntil = Math.max(busyUntil, world.now() + 4 * world.timeout());
                stopAfterCommit(connection.server.teller(), mishap);
            }
        }
    }

    private void stopAfterCommit(SimServer server, Mishap mishap) {
        boolean isolates = mishap.fault() == SimFault.CUT_OFF_AFTER_COMMIT;
        SimProcess process = world.processes().get(mishap.target());
        // the client is told of the commit, or not
        long most = isolates ? 4 * world.plan().longestDelay() : 6_000_000;
        world.scheduler().after(random.between(0, most), () -> {
            servers.stopFor(server, mishap);
            if (isolates) {
                process.isolate(true);
                cure(mishap.length(), () -> process.isolate(false));
            }
        });
    }

    /** What befalls a holder. */
    private void strike(SimProcess process, Mishap mishap) {
        switch (mishap.fault()) {
            case EXPIRY_BY_CLIENT -> expire(process, mishap);
            case MACHINE_SUSPENDED -> {
                hit(mishap);
                suspend(process, mishap);
                // it comes back without its network: what it believed before is all that it has
                process.isolate(true);
                cure(mishap.length() + world.timeout(), () -> process.isolate(false));
            }
            default -> {
                hit(mishap);
                process.pause(mishap.length());
            }
        }
    }

    /** With either clock, both or none running on. */
    private static void suspend(SimProcess process, Mishap mishap) {
        long stops = mishap.choice() / 2 % 4;
        process.suspend(mishap.length(), stops != 1, stops > 1);
    }

    private void expire(SimProcess process, Mishap mishap) {
        hit(mishap);
        process.enter(() -> process.client().expireHere());
    }

    private void ambush(SimProcess process, Mishap mishap, SimTrouble trouble, int times) {
        Kind aimed = AIMED.get(mishap.choice());
        if (aimed != null) {
            ambush(process, mishap, aimed, trouble, times);
            return;
        }
        ambush(process, mishap, random.oneOf(AMBUSHED), trouble, times);
        // sent only where several requests wait for each other
        if (random.chance(0.3)) {
            ambush(process, mishap, random.oneOf(List.of(Kind.BATCH, Kind.LIST_ALL)), trouble, times);
        }
        // seldom sent, and by some alone
        SimFamily family = world.plan().families().get(0);
        if (!family.isExclusive() && random.chance(0.8)) {
            ambush(process, mishap, family.isSemaphore() ? Kind.REWRITE : Kind.REPLACE, trouble, times);
        } else if (family.isExclusive() && process.handOff().policy() == HandOff.Policy.STRICT && random.chance(0.8)) {
            ambush(process, mishap, Kind.BATCH, trouble, times);
        }
    }

    private void ambush(SimProcess process, Mishap mishap, @Nullable Kind kind, SimTrouble trouble, int times) {
        process.troubles.lay(new Ambush(kind, trouble, times, () -> {
            hit(mishap);
            busyUntil = Math.max(busyUntil, world.now() + 2 * world.timeout());
            if (mishap.fault() == SimFault.REQUEST_TIMEOUT) {
                world.scheduler()
                        .after(
                                random.between(0, 2 * world.plan().longestDelay()),
                                () -> process.enter(() -> process.client().timeOutFirst()));
            }
        }));
    }

    private void hit(Mishap mishap) {
        world.tally().hit(mishap.fault());
    }

    private void cure(long length, Runnable action) {
        cures.add(action);
        world.scheduler().after(length, action);
    }
}
