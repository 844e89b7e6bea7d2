package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.internal.Words;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The holds of one lock that the current thread owns, by the scopes that are open on it. */
final class ThreadScopes {

    private final EngineAccess engine;
    private final LockName name;
    private final LockKind kind;

    ThreadScopes(EngineAccess engine, LockName name, LockKind kind) {
        this.engine = engine;
        this.name = name;
        this.kind = kind;
    }

    /**
     * Returns the hold that the thread can re-enter: a hold of the same kind, or, for a read lock, a hold of the write
     * lock.
     *
     * @throws LockLostException if that hold was lost
     * @throws IllegalStateException if the thread holds the lock to read and requests it to write
     */
    @Nullable EngineHandle own() {
        EngineHandle own = switch (kind) {
            case EXCLUSIVE -> open(LockKind.EXCLUSIVE);
            case READ ->
                innermost(handle ->
                        handle.isOpen() && (handle.kind() == LockKind.READ || handle.kind() == LockKind.WRITE));
            case WRITE -> open(LockKind.WRITE);
            // permits belong to handles only
            case PERMITS -> null;
        };
        EngineHandle reading = kind == LockKind.WRITE && own == null ? open(LockKind.READ) : null;
        EngineHandle lost = own == null ? reading : own;
        if (lost != null && lost.state() == LockState.LOST) {
            throw new LockLostException(
                    name, lost.turn().lossReason() + "; the thread cannot re-enter it until it has unlocked");
        }
        if (reading != null) {
            throw new IllegalStateException("Lock '" + name + "' not acquired to write: thread '"
                    + Words.nameOf(Thread.currentThread())
                    + "' holds it to read and would wait for itself; release the read lock first, or acquire the write"
                    + " lock first");
        }
        return own;
    }

    /** Returns a further hold of this one, if that is possible without a request. */
    @Nullable EngineHandle again(@Nullable EngineHandle own) {
        if (own == null || own.kind() != kind || !own.isHeld()) {
            return null;
        }
        // created first: a hold without a handle would never be dropped
        EngineHandle another = own.another();
        return own.turn().addHold() ? another : null;
    }

    /** Returns the latest hold that a method of Lock acquired on this thread. */
    @Nullable EngineHandle latestLocked() {
        return innermost(handle -> handle.isLockScopeOfThisThread() && handle.kind() == kind);
    }

    private @Nullable EngineHandle open(LockKind wanted) {
        return innermost(handle -> handle.isOpen() && handle.kind() == wanted);
    }

    private @Nullable EngineHandle innermost(Predicate<EngineHandle> wanted) {
        List<LockHandle> scopes = LockContext.current();
        for (int i = scopes.size() - 1; i >= 0; i--) {
            if (scopes.get(i) instanceof EngineHandle handle
                    && handle.isOf(engine)
                    && handle.name().equals(name)
                    && wanted.test(handle)) {
                return handle;
            }
        }
        return null;
    }
}
