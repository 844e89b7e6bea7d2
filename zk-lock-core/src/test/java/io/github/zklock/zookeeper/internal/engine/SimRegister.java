package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.queue.Demand;

/**
 * What the lock guards: a number that each writer reads and then writes back one higher, and each reader reads twice. One register refuses tokens
 * lower than the highest it has seen (K3); the other takes every write of a holder who believes to hold (K4).
 */
final class SimRegister {

    private final SimWorld world;
    private long highest;
    private long fenced;
    private long bare;

    SimRegister(SimWorld world) {
        this.world = world;
    }

    Work work(SimHold hold) {
        return new Work(hold);
    }

    /** One reading and writing back under a grant. */
    final class Work {
        private final SimHold hold;
        private boolean admitted;
        private boolean wasValid;
        private long seenFenced;
        private long seenBare;

        private Work(SimHold hold) {
            this.hold = hold;
        }

        void read() {
            admitted = hold.demand().isAlone() && admits(hold.token());
            seenFenced = fenced;
            wasValid = hold.claimsToBeValid();
            seenBare = bare;
        }

        void write() {
            if (!hold.demand().isAlone()) {
                readAgain();
                return;
            }
            if (admitted && admits(hold.token())) {
                if (seenFenced != fenced) {
                    world.violated("K3", "an update was lost behind " + hold, null);
                }
                fenced = seenFenced + 1;
                seenFenced = fenced;
                world.tally().acceptedWrites++;
            } else {
                world.tally().refusedWrites++;
            }
            if (wasValid && hold.claimsToBeValid() && !world.checks().isExcused(hold)) {
                if (seenBare != bare) {
                    world.violated("K4", "an unfenced update was lost behind " + hold, null);
                }
                bare = seenBare + 1;
            }
        }

        private void readAgain() {
            if (hold.demand().equals(Demand.READ)
                    && wasValid
                    && hold.claimsToBeValid()
                    && !world.checks().isExcused(hold)
                    && seenBare != bare) {
                world.violated("K4", "somebody wrote while " + hold + " was reading", null);
            }
        }

        private boolean admits(long token) {
            highest = Math.max(highest, token);
            return token >= highest;
        }
    }
}
