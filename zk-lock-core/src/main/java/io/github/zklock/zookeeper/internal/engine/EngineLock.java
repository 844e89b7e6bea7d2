package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.job.Job;
import io.github.zklock.zookeeper.internal.joint.JointLock;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A lock for callers, exclusive or one of a pair. It opens and closes the scopes of the threads that own it. */
final class EngineLock extends Acquisition implements JointLock {

    EngineLock(LockName name, Demand demand, EngineAccess engine) {
        super(engine, name, demand);
    }

    /** @param change returns the policy of this lock, from the policy that its name has */
    EngineLock(LockName name, Demand demand, EngineAccess engine, UnaryOperator<LockPolicy> change) {
        super(engine, name, demand, change);
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return demand.kind();
    }

    /** Prepares a request as {@link Job.Requests#prepare} does. Its answer arrives as a step of the library. */
    Function<@Nullable Duration, CompletableFuture<LockHandle>> prepare(@Nullable Duration limit) {
        Acquisition request = prepared(limit);
        return maxWait -> request.async(patience(maxWait), engine.steps());
    }

    @Override
    public boolean joins(ClusterLock other) {
        return other instanceof EngineLock lock && lock.engine == engine;
    }

    @Override
    public List<LockHandle> acquireWith(List<ClusterLock> others, @Nullable Duration maxWait)
            throws InterruptedException {
        return interruptiblyWith(acquisitions(others), patience(maxWait));
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAsyncWith(List<ClusterLock> others, @Nullable Duration maxWait) {
        return asyncWith(acquisitions(others), patience(maxWait));
    }

    @Override
    public void closeTogether(List<LockHandle> handles, Consumer<Throwable> failed) {
        List<Turn> ended = new ArrayList<>(handles.size());
        try {
            for (int i = handles.size() - 1; i >= 0; i--) {
                try {
                    ((EngineHandle) handles.get(i)).close(ended);
                } catch (Throwable failure) {
                    tell(failed, failure);
                }
            }
        } finally {
            engine.release(ended);
        }
    }

    private static void tell(Consumer<Throwable> failed, Throwable failure) {
        try {
            failed.accept(failure);
        } catch (StackOverflowError | OutOfMemoryError untold) {
            // the other handles have to be closed nevertheless
            return;
        }
    }

    private Patience patience(@Nullable Duration maxWait) {
        return maxWait == null ? Patience.forever() : atMost(maxWait);
    }

    private static List<Acquisition> acquisitions(List<ClusterLock> locks) {
        return locks.stream().map(lock -> (Acquisition) lock).toList();
    }

    @Override
    public void lock() {
        own(uninterruptibly(Patience.forever()));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(interruptibly(Patience.forever()));
    }

    @Override
    public boolean tryLock() {
        try {
            own(uninterruptibly(onlyAsking()));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        try {
            own(interruptibly(atMost(wait)));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public void unlock() {
        EngineHandle latest = latestLocked();
        if (latest == null) {
            throw new IllegalMonitorStateException("Lock '" + name + "' is not held " + demand + " by thread '"
                    + Words.nameOf(Thread.currentThread())
                    + "' through a method of Lock; to release a handle, call its close()");
        }
        latest.closeLockScope();
        latest.close();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "Lock '" + name + "' does not support conditions, which would need a signal across the cluster");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EngineLock lock
                && lock.engine == engine
                && lock.name.equals(name)
                && lock.demand.equals(demand);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return "ClusterLock[" + name + " " + demand + "]";
    }

    /** Makes the calling thread the owner of the lock that the handle holds. */
    private static void own(EngineHandle handle) {
        try {
            handle.openLockScope();
        } catch (Throwable error) {
            handle.close();
            throw error;
        }
    }
}
