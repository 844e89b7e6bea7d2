package io.github.zklock.test;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.test.Acquirer.Wish;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** An exclusive lock, or the read or write lock of a pair. */
final class MemoryLock implements ClusterLock {

    private final LockName name;
    private final LockKind kind;
    private final Acquirer acquirer;
    private final Ownership ownership;

    MemoryLock(LockName name, LockKind kind, Acquirer acquirer) {
        this.name = name;
        this.kind = kind;
        this.acquirer = acquirer;
        this.ownership = new Ownership(acquirer.member(), name);
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return kind;
    }

    @Override
    public LockHandle acquire() throws InterruptedException {
        return acquire(Patience.forever());
    }

    @Override
    public LockHandle acquire(Duration maxWait) throws InterruptedException {
        return acquire(atMost(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryAcquire(onlyAsking());
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryAcquire(atMost(maxWait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return acquireAsync(Patience.forever());
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return acquireAsync(atMost(maxWait));
    }

    @Override
    public void lock() {
        own(acquireUninterruptibly(Patience.forever()));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(acquire(Patience.forever()));
    }

    @Override
    public boolean tryLock() {
        try {
            own(acquireUninterruptibly(onlyAsking()));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        try {
            own(acquire(atMost(wait)));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public void unlock() {
        MemoryHandle latest = ownership.latestLocked(kind);
        if (latest == null) {
            throw new IllegalMonitorStateException("Lock '" + name + "' is not held by thread '"
                    + LockContext.nameOf(Thread.currentThread())
                    + "' through a method of Lock; a handle is given back by its close()");
        }
        latest.closeLockScope();
        latest.close();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "Lock '" + name + "' has no conditions: waiting for one would need a signal across the cluster");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryLock lock
                && lock.acquirer == acquirer
                && lock.kind == kind
                && lock.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, kind);
    }

    @Override
    public String toString() {
        return "ClusterLock[" + name + ", " + kind + "]";
    }

    private MemoryHandle acquire(Patience patience) throws InterruptedException {
        Acquirer.checkInterrupt(name);
        return acquirer.acquire(wish(patience), ownership.turnFor(kind));
    }

    private Optional<LockHandle> tryAcquire(Patience patience) throws InterruptedException {
        Acquirer.checkInterrupt(name);
        return acquirer.tryAcquire(wish(patience), ownership.turnFor(kind));
    }

    private MemoryHandle acquireUninterruptibly(Patience patience) {
        return acquirer.acquireUninterruptibly(wish(patience), ownership.turnFor(kind));
    }

    private CompletableFuture<LockHandle> acquireAsync(Patience patience) {
        try {
            return acquirer.acquireAsync(wish(patience), ownership.turnFor(kind));
        } catch (LockLostException | IllegalStateException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Makes the thread the owner of what the handle holds. */
    private static void own(MemoryHandle handle) {
        try {
            handle.openLockScope();
        } catch (Throwable error) {
            handle.close();
            throw error;
        }
    }

    private Wish wish(Patience patience) {
        return new Wish(name, Demand.of(kind), patience);
    }

    private Patience onlyAsking() {
        return Patience.onlyAsking(acquirer.member().settings().connectionTimeout());
    }

    private Patience atMost(Duration maxWait) {
        return Patience.atMost(name, maxWait, acquirer.member().settings().connectionTimeout());
    }
}
