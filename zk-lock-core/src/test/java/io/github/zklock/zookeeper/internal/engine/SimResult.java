package io.github.zklock.zookeeper.internal.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one schedule ended. */
record SimResult(
        SimPlan plan,
        @Nullable SimViolation violation,
        SimTally tally,
        long hash,
        long shape,
        int ending,
        List<String> lines) {

    static SimResult of(SimPlan plan, boolean readable) {
        return new SimWorld(plan, readable).run();
    }
}
