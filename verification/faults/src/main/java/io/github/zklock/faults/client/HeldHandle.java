package io.github.zklock.faults.client;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;

/** A held lock of our registry. */
record HeldHandle(LockHandle handle) implements HeldLock {

    @Override
    public boolean isHeld() {
        return handle.isHeld();
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
