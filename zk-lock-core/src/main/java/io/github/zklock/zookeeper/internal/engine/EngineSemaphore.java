package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;

/** A semaphore. Threads own no permits, so there is no re-entry. */
record EngineSemaphore(LockName name, int totalPermits, EngineAccess engine, Inspection inspector)
        implements ClusterSemaphore {

    private static final int MOST_PERMITS = 10_000;

    EngineSemaphore {
        if (totalPermits < 1 || totalPermits > MOST_PERMITS) {
            throw new IllegalArgumentException("Semaphore '" + name + "': the number of permits " + totalPermits
                    + " is not between 1 and " + MOST_PERMITS);
        }
    }

    @Override
    public int availablePermits() throws InterruptedException {
        return inspector.availablePermits(name, totalPermits);
    }

    @Override
    public Acquirable<LockHandle> permits(int number) {
        if (number < 1 || number > totalPermits) {
            throw new IllegalArgumentException("Semaphore '" + name + "': " + number + " is not between 1 and the "
                    + Words.count(totalPermits, "permit") + " of the semaphore");
        }
        return new Acquisition(engine, name, Demand.permits(number, totalPermits));
    }

    @Override
    public String toString() {
        return "ClusterSemaphore[" + name + ", " + Words.count(totalPermits, "permit") + "]";
    }
}
