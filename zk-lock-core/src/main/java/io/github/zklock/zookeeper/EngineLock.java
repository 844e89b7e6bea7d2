package io.github.zklock.zookeeper;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The exclusive lock as threads see it: claims made, answers awaited, scopes opened and closed. */
final class EngineLock implements ClusterLock {

    private final LockName name;
    private final EngineAccess engine;

    EngineLock(LockName name, EngineAccess engine) {
        this.name = name;
        this.engine = engine;
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public LockHandle acquire() throws InterruptedException {
        return acquireInterruptibly(Patience.forever());
    }

    @Override
    public LockHandle acquire(Duration maxWait) throws InterruptedException {
        return acquireInterruptibly(patience(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryInterruptibly(onlyAsking());
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryInterruptibly(patience(maxWait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return acquireAsync(Patience.forever());
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return acquireAsync(patience(maxWait));
    }

    @Override
    public void lock() {
        own(acquireUninterruptibly(Patience.forever()));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(acquireInterruptibly(Patience.forever()));
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
            own(acquireInterruptibly(patience(wait)));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public void unlock() {
        EngineHandle latest = ownHandle(true);
        if (latest == null) {
            throw new IllegalMonitorStateException("Lock '" + name + "' is not held by thread '"
                    + Thread.currentThread().getName()
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
    public String toString() {
        return "ClusterLock[" + name + "]";
    }

    /** Makes the thread the owner of what the handle holds. */
    private static void own(EngineHandle handle) {
        try {
            handle.openLockScope();
        } catch (Throwable error) {
            handle.close();
            throw error;
        }
    }

    private EngineHandle acquireInterruptibly(Patience patience) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before asking for lock '" + name + "'");
        }
        EngineHandle own = ownHandle(false);
        EngineHandle again = own == null ? null : reenterAtOnce(own);
        if (again != null) {
            return again;
        }
        Waiter waiter = new Waiter();
        Claim claim = engine.claim(name, patience, Thread.currentThread(), waiter);
        try {
            send(claim, own);
            return handleOf(waiter.await(), own);
        } catch (InterruptedException interrupted) {
            engine.cancel(claim);
            throw interrupted;
        } catch (Error error) {
            // the turn, if one is given, would belong to nobody
            engine.cancel(claim);
            throw error;
        }
    }

    private EngineHandle acquireUninterruptibly(Patience patience) {
        EngineHandle own = ownHandle(false);
        EngineHandle again = own == null ? null : reenterAtOnce(own);
        if (again != null) {
            return again;
        }
        Waiter waiter = new Waiter();
        Claim claim = engine.claim(name, patience, Thread.currentThread(), waiter);
        try {
            send(claim, own);
            return handleOf(waiter.awaitUninterruptibly(), own);
        } catch (Error error) {
            engine.cancel(claim);
            throw error;
        }
    }

    private Optional<LockHandle> tryInterruptibly(Patience patience) throws InterruptedException {
        try {
            return Optional.of(acquireInterruptibly(patience));
        } catch (LockTimeoutException busy) {
            return Optional.empty();
        }
    }

    private CompletableFuture<LockHandle> acquireAsync(Patience patience) {
        EngineHandle own = ownHandle(false);
        EngineHandle again;
        try {
            again = own == null ? null : reenterAtOnce(own);
        } catch (LockLostException lost) {
            return CompletableFuture.failedFuture(lost);
        }
        if (again != null) {
            return CompletableFuture.completedFuture(again);
        }
        FutureAnswer answer = new FutureAnswer(engine, name, own);
        Claim claim = engine.claim(name, patience, null, answer);
        answer.leaveQueueWhenCancelled(claim);
        send(claim, own);
        return answer.future();
    }

    private void send(Claim claim, @Nullable EngineHandle own) {
        if (own == null) {
            engine.acquire(claim);
        } else {
            engine.reenter(claim, own.turn());
        }
    }

    private EngineHandle handleOf(Object answer, @Nullable EngineHandle own) {
        Turn turn = Waiter.turnOf(answer, name);
        return own == null ? EngineHandle.first(turn, engine) : own.another();
    }

    /** One more hold of what this thread owns; null if that has to be proven first. */
    private @Nullable EngineHandle reenterAtOnce(EngineHandle own) {
        if (own.state() == LockState.LOST) {
            throw new LockLostException(
                    name, own.turn().lossReason() + "; the thread cannot re-enter it before it has unlocked");
        }
        return own.isHeld() && own.turn().addHold() ? own.another() : null;
    }

    /**
     * The handle of the innermost open scope of this lock on this thread.
     *
     * @param byLock only those that a method of Lock opened
     */
    private @Nullable EngineHandle ownHandle(boolean byLock) {
        List<LockHandle> scopes = LockContext.current();
        for (int i = scopes.size() - 1; i >= 0; i--) {
            if (scopes.get(i) instanceof EngineHandle handle
                    && handle.isOf(engine)
                    && handle.name().equals(name)
                    && (byLock ? handle.isLockScopeOfThisThread() : handle.isOpen())) {
                return handle;
            }
        }
        return null;
    }

    private Patience patience(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("Lock '" + name + "': the wait " + maxWait
                    + " is negative; use zero to only ask, or a method without a wait to wait for ever");
        }
        return Patience.atMost(maxWait, engine.settings().connectionTimeout());
    }

    private Patience onlyAsking() {
        return Patience.onlyAsking(engine.settings().connectionTimeout());
    }
}
