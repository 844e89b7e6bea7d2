package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** First come first served within a process, and nobody kept out by another process beyond the bounds of its policy. */
final class SimFairness {

    /** How often a seat has served while the same others waited behind it. */
    private static final class Passing {
        final Set<String> waiting;
        final long firstAt;
        int turns;
        /** The first grant after its bounds: that one has the process look who waits. */
        long lastAt = Long.MAX_VALUE;

        Passing(Set<String> waiting, long firstAt) {
            this.waiting = waiting;
            this.firstAt = firstAt;
        }
    }

    private final SimWorld world;
    private final Map<String, Passing> passings = new HashMap<>();
    private final Map<String, SimContender> served = new HashMap<>();

    SimFairness(SimWorld world) {
        this.world = world;
    }

    /** @param holders all who hold, this one included */
    void granted(SimHold hold, List<SimHold> holders) {
        checkOvertaken(hold, holders);
        if (hold.process().handOff().policy() == HandOff.Policy.STRICT) {
            checkAlone(hold);
        } else if (world.isCalm()) {
            checkBounds(hold);
        } else {
            passings.remove(hold.path);
        }
    }

    /** Who asked earlier and waits in the same process is served earlier, unless both can hold at once. */
    private void checkOvertaken(SimHold hold, List<SimHold> holders) {
        // where the folder has to be made, who asked later may be first there; so it may be if a create breaks with its
        // connection at the moment at which the next one is sent
        if (!world.plan().foldersExist()
                || hold.process().hadCreateInDoubt(SimTree.parentOf(hold.path))
                || world.checks().hasOperatorRemoved()
                || world.checks().hasFolderGone()) {
            return;
        }
        SimContender contender = hold.contender();
        for (SimContender other : world.contenders()) {
            if (other.process() == contender.process()
                    && other.lock().equals(contender.lock())
                    && other.isWaiting()
                    && other.wish().waiting() != Waiting.NOT_AT_ALL
                    && other.askedAt() < hold.askedAt()
                    && !isRoomFor(other.demand(), hold, holders)) {
                world.violated(
                        "FAIR",
                        hold + " has overtaken a claim " + other.demand() + " of " + other.askedAt() / 1_000_000
                                + " ms",
                        null);
            }
        }
    }

    private static boolean isRoomFor(Demand wanted, SimHold hold, List<SimHold> holders) {
        if (!wanted.agreesWith(hold.demand())
                || wanted.isAlone()
                || hold.demand().isAlone()) {
            return false;
        }
        return SimModel.fits(wanted, holders.stream().map(SimHold::demand));
    }

    private void checkAlone(SimHold hold) {
        SimContender before = served.putIfAbsent(hold.path, hold.contender());
        if (before != null && before != hold.contender()) {
            world.violated("FAIR", hold + " is not the first on a seat of a strict process", null);
        }
    }

    private void checkBounds(SimHold hold) {
        Set<String> waiting = waitingBehind(hold);
        Passing passing = passings.get(hold.path);
        if (passing != null) {
            passing.waiting.retainAll(waiting);
        }
        if (passing == null || passing.waiting.isEmpty()) {
            passing = new Passing(waiting, world.now());
            passings.put(hold.path, passing);
        }
        if (waiting.isEmpty()) {
            return;
        }
        HandOff handOff = hold.process().handOff();
        boolean timeUp = world.now() - passing.firstAt >= Nanos.of(handOff.maxTime());
        if (timeUp || passing.turns >= handOff.maxTurns()) {
            passing.lastAt = Math.min(passing.lastAt, world.now());
        }
        passing.turns++;
        if (world.now() - passing.lastAt > world.promptly()) {
            world.violated(
                    "FAIR",
                    hold + " is turn " + passing.turns + " while another process has waited behind it since "
                            + passing.firstAt / 1_000_000 + " ms",
                    null);
        }
    }

    /** Those of other processes who wait, and for so long that whoever looked could see them. */
    private Set<String> waitingBehind(SimHold hold) {
        SimTree truth = world.ensemble().truth();
        String folder = SimTree.parentOf(hold.path);
        SimQueue queue = SimQueue.of(truth, folder);
        Set<String> waiting = new HashSet<>();
        for (SimSeat seat : queue.behind(hold.seat())) {
            // one who takes the lock for another one is refused sooner or later
            boolean waits = seat.demand().agreesWith(hold.demand())
                    && queue.obstacle(seat).isPresent()
                    && world.contention().cameAt(folder, seat) < world.now() - world.promptly();
            if (waits && truth.entry(folder + "/" + seat.node()).owner != hold.session()) {
                waiting.add(seat.node());
            }
        }
        return waiting;
    }
}
