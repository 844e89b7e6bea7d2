package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An exclusive lock, a read/write lock or a semaphore for one thread: what its users may hold at once. */
final class SimModel {

    private final List<SimHold> held = new ArrayList<>(4);

    /** False if what is held forbids it. */
    boolean take(SimHold hold) {
        boolean allowed = held.stream().allMatch(other -> mayBeBeside(other, hold))
                && (hold.demand().isAlone() || permitsWith(hold) <= most(hold));
        if (allowed) {
            held.add(hold);
        }
        return allowed;
    }

    void giveBack(SimHold hold) {
        held.remove(hold);
    }

    List<SimHold> held() {
        return held;
    }

    /** A writer may read, and nobody else beside it. */
    private static boolean mayBeBeside(SimHold one, SimHold other) {
        return one.demand().agreesWith(other.demand())
                && (one.contender() == other.contender()
                        || (!one.demand().isAlone() && !other.demand().isAlone()));
    }

    private int permitsWith(SimHold hold) {
        return hold.demand().permits()
                + held.stream().mapToInt(other -> other.demand().permits()).sum();
    }

    /** Where some think of more permits than others, the smallest number counts for all who hold at once. */
    private int most(SimHold hold) {
        return hold.demand().equals(Demand.READ)
                ? Integer.MAX_VALUE
                : Stream.concat(Stream.of(hold), held.stream())
                        .mapToInt(each -> each.demand().of())
                        .min()
                        .orElseThrow();
    }
}
