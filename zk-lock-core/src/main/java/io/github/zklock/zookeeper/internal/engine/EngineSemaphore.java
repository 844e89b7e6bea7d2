package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A semaphore. Threads own no permits, so there is no re-entry. */
record EngineSemaphore(LockName name, int permits, EngineAccess engine, Inspection inspector)
        implements ClusterSemaphore {

    private static final int MOST_PERMITS = 10_000;

    EngineSemaphore {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("Semaphore '" + name + "': the number of permits " + permits
                    + " is not between 1 and " + MOST_PERMITS);
        }
    }

    @Override
    public int availablePermits() throws InterruptedException {
        return inspector.availablePermits(name, permits);
    }

    @Override
    public LockHandle acquire(int wanted) throws InterruptedException {
        return of(wanted).interruptibly(Patience.forever());
    }

    @Override
    public LockHandle acquire(int wanted, Duration maxWait) throws InterruptedException {
        Acquisition acquisition = of(wanted);
        return acquisition.interruptibly(acquisition.atMost(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire(int wanted) throws InterruptedException {
        Acquisition acquisition = of(wanted);
        return acquisition.tryInterruptibly(acquisition.onlyAsking());
    }

    @Override
    public Optional<LockHandle> tryAcquire(int wanted, Duration maxWait) throws InterruptedException {
        Acquisition acquisition = of(wanted);
        return acquisition.tryInterruptibly(acquisition.atMost(maxWait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(int wanted) {
        return of(wanted).async(Patience.forever());
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(int wanted, Duration maxWait) {
        Acquisition acquisition = of(wanted);
        return acquisition.async(acquisition.atMost(maxWait));
    }

    @Override
    public String toString() {
        return "ClusterSemaphore[" + name + ", " + Words.count(permits, "permit") + "]";
    }

    private Acquisition of(int wanted) {
        if (wanted < 1 || wanted > permits) {
            throw new IllegalArgumentException("Semaphore '" + name + "': " + wanted + " is not between 1 and the "
                    + Words.count(permits, "permit") + " of the semaphore");
        }
        return new Acquisition(engine, name, Demand.permits(wanted, permits));
    }
}
