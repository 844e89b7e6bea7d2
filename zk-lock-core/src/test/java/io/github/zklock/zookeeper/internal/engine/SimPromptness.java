package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * While nothing is wrong nobody sleeps on: what holds by the committed queue is soon made use of, and a writer's seat that
 * is only read under makes way for the readers behind it. (L20)
 */
final class SimPromptness {

    private final SimWorld world;

    SimPromptness(SimWorld world) {
        this.world = world;
    }

    void committed(SimTxn txn) {
        txn.changes().stream()
                .filter(change -> SimSeat.isSeat(SimTree.nameOf(change.path())))
                .map(change -> SimTree.parentOf(change.path()))
                .distinct()
                .forEach(this::changed);
    }

    /** A queue, or who uses its seats, has changed: a while later those concerned must have noticed. */
    void changed(String folder) {
        if (world.isCalm()) {
            SimQueue before = queue(folder);
            Map<SimSeat, List<SimHold>> users = new HashMap<>(4);
            before.seats().forEach(seat -> users.put(seat, world.checks().users(pathOf(folder, seat))));
            // by now, as the foreigner may be gone when it is looked at, and whoever slept behind it only just awake
            List<SimSeat> excused = before.seats().stream()
                    .filter(seat -> isBehindForeigner(folder, before, seat))
                    .toList();
            List<SimProcess> well =
                    world.processes().stream().filter(SimProcess::isWell).toList();
            long since = world.now();
            world.scheduler().after(3 * world.promptly(), () -> look(folder, before, users, excused, well, since));
        }
    }

    private void look(
            String folder,
            SimQueue before,
            Map<SimSeat, List<SimHold>> users,
            List<SimSeat> excused,
            List<SimProcess> well,
            long since) {
        if (!world.isCalm() || world.isViolated()) {
            return;
        }
        SimQueue now = queue(folder);
        for (SimSeat seat : now.seats()) {
            boolean held =
                    before.seats().contains(seat) && before.obstacle(seat).isEmpty();
            Optional<SimProcess> owner = ownerOf(pathOf(folder, seat), since).filter(well::contains);
            if (held && owner.isPresent()) {
                if (!excused.contains(seat)) {
                    checkUsed(owner.get(), folder, seat, since);
                }
                if (before.behind(seat).stream().anyMatch(now.seats()::contains)) {
                    checkReading(pathOf(folder, seat), seat, users.getOrDefault(seat, List.of()));
                }
            }
        }
    }

    private void checkUsed(SimProcess process, String folder, SimSeat seat, long since) {
        String path = pathOf(folder, seat);
        // a renewal tells whoever stands behind a seat of its own process that an operator has deleted that one: then
        // this is looked at again
        if (!world.checks().wasUsedSince(path, since)
                && isWanted(process, folder, seat)
                && !world.checks().wasMistakenAfter(process, folder, since)) {
            world.violated("L20", path + " holds, and nobody has noticed", null);
        }
    }

    private void checkReading(String path, SimSeat seat, List<SimHold> before) {
        List<SimHold> now = world.checks().users(path);
        boolean reading = isReading(before) && isReading(now) && before.stream().anyMatch(now::contains);
        if (seat.demand().equals(Demand.WRITE) && reading) {
            world.violated("L20", path + " is only read under, and keeps others from reading", null);
        }
    }

    /** One who does not keep the rules of this library's semaphores wakes nobody. */
    private boolean isBehindForeigner(String folder, SimQueue queue, SimSeat seat) {
        return seat.demand().kind() == LockKind.PERMITS
                && queue.seats().stream()
                        .takeWhile(other -> !other.equals(seat))
                        .anyMatch(other -> !world.isOfEngines(pathOf(folder, other)));
    }

    private static boolean isReading(List<SimHold> users) {
        return users.stream().allMatch(hold -> hold.demand().equals(Demand.READ));
    }

    /** The process that has the seat, if it has been connected since this instant, and is able to do something. */
    private Optional<SimProcess> ownerOf(String path, long since) {
        long session = world.ensemble().truth().entry(path).owner;
        return world.processes().stream()
                .filter(process -> process.client().session() == session
                        && process.isWell()
                        && process.client().isConnectedSince(since))
                .findFirst();
    }

    private SimQueue queue(String folder) {
        return SimQueue.of(world.ensemble().truth(), folder);
    }

    private static String pathOf(String folder, SimSeat seat) {
        return folder + "/" + seat.node();
    }

    private boolean isWanted(SimProcess process, String folder, SimSeat seat) {
        return world.contenders().stream()
                .anyMatch(contender -> contender.process() == process
                        && world.folder(contender.lock()).equals(folder)
                        && contender.demand().equals(seat.demand())
                        && contender.isWaiting()
                        && contender.wish().waiting() != Waiting.NOT_AT_ALL
                        && contender.askedAt() < world.now() - 3 * world.promptly());
    }
}
