package io.github.zklock.test;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the calling thread owns of one lock, by its open scopes. */
final class Ownership {

    private final Member member;
    private final LockName name;

    Ownership(Member member, LockName name) {
        this.member = member;
        this.name = name;
    }

    /**
     * The turn that a request of this kind re-enters; null if it is a stranger's.
     *
     * @throws LockLostException if that turn is lost
     * @throws IllegalStateException if the thread has the read lock and wants the write lock
     */
    @Nullable Turn turnFor(LockKind wanted) {
        MemoryHandle own = innermost(handle -> handle.isOpen() && handle.turn().kind() == wanted);
        if (own == null) {
            own = innermost(handle ->
                    handle.isOpen() && isOtherOfPair(wanted, handle.turn().kind()));
        }
        if (own == null) {
            return null;
        }
        if (own.state() == LockState.LOST) {
            throw new LockLostException(
                    name, own.turn().lossReason() + "; the thread cannot re-enter it before it has unlocked");
        }
        if (wanted == LockKind.WRITE && own.turn().kind() == LockKind.READ) {
            throw new IllegalStateException("Lock '" + name + "' not acquired to write: thread '"
                    + LockContext.nameOf(Thread.currentThread())
                    + "' holds it to read and would wait for itself; give the read lock back first, or begin with the"
                    + " write lock");
        }
        return own.turn();
    }

    /** The latest hold of this kind that the thread took by a method of {@code Lock}; null if there is none. */
    @Nullable MemoryHandle latestLocked(LockKind kind) {
        return innermost(handle -> handle.hasLockScopeHere() && handle.turn().kind() == kind);
    }

    private @Nullable MemoryHandle innermost(Predicate<MemoryHandle> wanted) {
        List<LockHandle> scopes = LockContext.current();
        for (int i = scopes.size() - 1; i >= 0; i--) {
            if (scopes.get(i) instanceof MemoryHandle handle
                    && handle.member() == member
                    && handle.name().equals(name)
                    && wanted.test(handle)) {
                return handle;
            }
        }
        return null;
    }

    private static boolean isOtherOfPair(LockKind wanted, LockKind owned) {
        return (wanted == LockKind.READ && owned == LockKind.WRITE)
                || (wanted == LockKind.WRITE && owned == LockKind.READ);
    }
}
