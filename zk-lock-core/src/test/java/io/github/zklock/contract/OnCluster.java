package io.github.zklock.contract;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import java.time.Duration;

/** The cluster on which a contract is tested, and the hand-off of its processes. */
public interface OnCluster {

    /** Starts the cluster of a test class. Its processes use {@link #handOff()} unless a test sets a policy. */
    ClusterFixture newCluster();

    /** Returns the hand-off of all processes: the default one, unless a subinterface says otherwise. */
    default HandOff handOff() {
        return LockPolicy.defaults().handOff();
    }

    /** A cluster whose processes hand locks off in strict order. */
    interface Strict extends OnCluster {
        @Override
        default HandOff handOff() {
            return HandOff.strict();
        }
    }

    /** A cluster whose processes keep a released lock for an instant. */
    interface Lingering extends OnCluster {
        @Override
        default HandOff handOff() {
            return LockPolicy.defaults().handOff().lingering(Duration.ofMillis(200));
        }
    }

    /** A cluster whose processes keep a released lock for longer than a test takes. */
    interface LingeringLong extends OnCluster {
        @Override
        default HandOff handOff() {
            return LockPolicy.defaults().handOff().lingering(Duration.ofMinutes(10));
        }
    }
}
