package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Hold;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Wait;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.List;

/**
 * A request of this process whose caller holds other locks. Refers to no handle, so that these can be collected.
 *
 * @param id differs from that of each other wait of its registry
 */
record NestedWait(long id, Claim claim, List<Turn> held, long sinceMillis) {

    /** Returns the wait as it is published, with the locks that are held now. */
    Wait describe() {
        List<Hold> holds = held.stream()
                .filter(turn -> !turn.state().isFinal())
                .map(turn -> new Hold(turn.seat().id(), turn.token().value()))
                .toList();
        Demand demand = claim.demand();
        return new Wait(
                id, claim.name(), demand.kind(), demand.permits(), demand.of(), claim.waiter(), sinceMillis, holds);
    }
}
