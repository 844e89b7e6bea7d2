package io.github.zklock.faults.client;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import java.util.function.BooleanSupplier;

/**
 * A held lock of our registry, or a term of a leadership.
 *
 * @param held what the holder asks whether it holds the lock or is the leader
 */
record HeldHandle(LockHandle handle, BooleanSupplier held) implements HeldLock {

    HeldHandle(LockHandle handle) {
        this(handle, handle::isHeld);
    }

    @Override
    public boolean isHeld() {
        return held.getAsBoolean();
    }

    @Override
    public long remainingNanos() {
        return handle.remaining().toNanos();
    }

    @Override
    public String state() {
        return handle.state().name();
    }

    @Override
    public boolean isLost() {
        return handle.state() == LockState.LOST;
    }

    @Override
    public long token() {
        return handle.fencingToken().value();
    }

    @Override
    public String node() {
        return "";
    }

    @Override
    public void inScope(Runnable work) {
        try (LockContext.Scope scope = LockContext.open(handle)) {
            work.run();
        }
    }

    @Override
    public void onLost(Runnable listener) {
        handle.onLost(listener);
    }

    @Override
    public void onReleased(Runnable seen, Runnable unseen) {
        handle.released().whenComplete((none, failure) -> {
            if (failure == null) {
                seen.run();
            } else if (failure instanceof LockUnavailableException
                    || failure.getCause() instanceof LockUnavailableException) {
                unseen.run();
            }
            // other failures are no answer
        });
    }
}
