package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.transport.Change;
import java.util.List;

/** Somebody with a shell, and others who use the same ensemble. */
final class SimOperator {

    private final SimWorld world;
    private final SimRandom random;

    SimOperator(SimWorld world, SimRandom random) {
        this.world = world;
        this.random = random;
    }

    /** Does it when there is something to do it to, or gives up after so many looks. */
    void act(Mishap mishap, int looks) {
        int index = (int) (mishap.choice() % world.plan().locks());
        LockName lock = world.lock(index);
        String folder = world.folder(lock);
        List<String> seats = seats(folder);
        boolean done = switch (mishap.fault()) {
            case HEAD_DELETED -> !seats.isEmpty() && deleteHead(folder, seats);
            case WAITING_SEAT_DELETED ->
                seats.size() > 1 && delete(folder + "/" + seats.get(1 + random.below(seats.size() - 1)));
            case SEAT_REWRITTEN -> !seats.isEmpty() && rewrite(folder + "/" + seats.get(random.below(seats.size())));
            case FOREIGN_CHILD -> operate(Kind.MAKE_FOLDER, folder + "/note" + mishap.choice() % 3);
            case FOREIGN_CONTENDER -> foreigner(folder, world.plan().families().get(index), mishap);
            case QUEUE_DELETED -> !seats.isEmpty() && deleteQueue(folder, seats);
            case CONTAINER_COLLECTED -> collectOften(folder, mishap);
            // who waits with a number from long ago would find negative ones in front of it
            case SEQUENCE_NEAR_END ->
                seats.size() <= 1
                        && count(folder, (int) (mishap.choice() / world.plan().locks()));
            default -> throw new IllegalArgumentException("Not of operators: " + mishap);
        };
        if (done && mishap.fault() != SimFault.CONTAINER_COLLECTED) {
            world.tally().hit(mishap.fault());
        } else if (!done && looks > 0) {
            world.scheduler().after(world.timeout() / 16, () -> act(mishap, looks - 1));
        }
    }

    private boolean deleteHead(String folder, List<String> seats) {
        String head = folder + "/" + seats.get(0);
        // now and then the next one goes too, so that it learns of its turn and of its end at once
        if (isToBeDeleted(head) && seats.size() > 1 && random.chance(0.4) && delete(folder + "/" + seats.get(1))) {
            world.tally().hit(SimFault.WAITING_SEAT_DELETED);
        }
        return delete(head);
    }

    private boolean deleteQueue(String folder, List<String> seats) {
        if (!seats.stream().allMatch(seat -> isToBeDeleted(folder + "/" + seat))) {
            return false;
        }
        seats.forEach(seat -> remove(folder + "/" + seat));
        return remove(folder);
    }

    private boolean delete(String path) {
        return isToBeDeleted(path) && remove(path);
    }

    /** A writer's of somebody else is not: it would become a reader all the same, in front of those who hold by then. */
    private boolean isToBeDeleted(String path) {
        return !path.contains("__WRIT__") || world.isOfEngines(path);
    }

    /** Who does not keep the rules of this library's semaphores, or takes the lock for another one, now and then. */
    private boolean foreigner(String folder, SimFamily family, Mishap mishap) {
        world.tally().contenders++;
        Demand demand = Demand.EXCLUSIVE;
        if (!family.isExclusive()) {
            demand = random.chance(0.05) ? family.mistaken(random) : family.demand(random);
        }
        new SimForeigner(world, folder, demand, mishap.length() / 2, (int) (mishap.choice() / 7 % 12)).start();
        return true;
    }

    private boolean collectOften(String folder, Mishap mishap) {
        long pause = SimPlan.TICK / 16;
        for (long after = 0; after < mishap.length(); after += pause) {
            world.scheduler().after(after, () -> operate(Kind.COLLECT, folder));
        }
        return true;
    }

    /** The next seat gets this number, as if all before it had come and gone. */
    private boolean count(String folder, int creates) {
        SimRequest count = SimRequest.silent(Kind.COUNT, folder);
        count.creates = creates;
        return operate(Kind.MAKE_FOLDER, folder) && operate(count);
    }

    private boolean remove(String path) {
        return operate(SimRequest.of(Kind.DELETE, new Change.Delete(path)));
    }

    private boolean rewrite(String path) {
        return operate(SimRequest.of(Kind.REWRITE, new Change.Write(path, SimRequest.NO_DATA)));
    }

    private boolean operate(Kind kind, String path) {
        return operate(SimRequest.silent(kind, path));
    }

    private boolean operate(SimRequest request) {
        SimReign reign = world.ensemble().reign();
        if (reign.server().reign != reign) {
            return false;
        }
        reign.operate(request);
        return true;
    }

    private List<String> seats(String folder) {
        SimTree.Entry entry = world.ensemble().truth().entry(folder);
        return entry == null
                ? List.of()
                : entry.children.stream()
                        .filter(SimSeat::isSeat)
                        .map(SimSeat::of)
                        .sorted()
                        .map(SimSeat::node)
                        .toList();
    }
}
