package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** The turns and the waiting claims of this process for one lock. */
public record Occupancy(Collection<Turn> turns, Collection<Claim> waiting) {

    /** Returns whether no turn and no waiting claim of this process blocks this demand. */
    boolean isFree(Demand demand) {
        return blocker(demand).isEmpty()
                && switch (demand.kind()) {
                    case EXCLUSIVE, WRITE -> waiting.isEmpty();
                    case READ ->
                        waiting.stream().noneMatch(claim -> claim.demand().isAlone());
                    case PERMITS -> fits(demand, Stream.concat(demandsHeld(), demandsAwaited()));
                };
    }

    /** Returns a turn that blocks this demand. */
    Optional<Turn> blocker(Demand demand) {
        Stream<Turn> all = turns.stream();
        Stream<Turn> inTheWay = switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> all;
            case READ -> all.filter(turn -> turn.demand().isAlone());
            case PERMITS -> fits(demand, demandsHeld()) ? Stream.empty() : all;
        };
        return inTheWay.findFirst();
    }

    /** Returns whether a turn blocks this claim or a claim that waits in front of it. */
    boolean keepsWaiting(Claim claim) {
        return blocker(claim.demand()).isPresent()
                || waiting.stream()
                        .takeWhile(other -> other != claim)
                        .anyMatch(other -> blocker(other.demand()).isPresent());
    }

    /**
     * Returns whether the thread of this claim holds the lock by a handle, in a turn that must end before the claim
     * can be granted.
     */
    boolean isInItsOwnWay(Claim claim) {
        if (claim.thread() == null || claim.demand().kind() == LockKind.PERMITS) {
            return false;
        }
        boolean hasTurn = false;
        for (Turn turn : turns) {
            if (turn.thread() == claim.thread()) {
                hasTurn = true;
                if (claim.demand().isAlone() || turn.demand().isAlone()) {
                    return true;
                }
            }
        }
        return hasTurn && waiting.stream().anyMatch(other -> other.demand().isAlone());
    }

    /** Returns whether the permits of all fit into the smallest of their numbers of permits. */
    private static boolean fits(Demand demand, Stream<Demand> others) {
        long permits = demand.permits();
        int smallest = demand.of();
        for (Demand other : (Iterable<Demand>) others::iterator) {
            permits += other.permits();
            smallest = Math.min(smallest, other.of());
        }
        return permits <= smallest;
    }

    private Stream<Demand> demandsHeld() {
        return turns.stream().map(Turn::demand);
    }

    private Stream<Demand> demandsAwaited() {
        return waiting.stream().map(Claim::demand);
    }
}
