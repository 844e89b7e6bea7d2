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
                && (hold.demand().isAlone() || fits(hold.demand(), held.stream().map(SimHold::demand)));
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

    /** Whether so much may be held beside the others. Of different numbers of permits, the smallest one counts. */
    static boolean fits(Demand wanted, Stream<Demand> others) {
        int permits = wanted.permits();
        int smallest = wanted.of();
        for (Demand other : others.toList()) {
            permits += other.permits();
            smallest = Math.min(smallest, other.of());
        }
        return wanted.equals(Demand.READ) || permits <= smallest;
    }
}
