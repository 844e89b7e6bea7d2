package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import java.util.function.Consumer;

/** What one of our handles says. */
record HandleGrip(LockHandle handle) implements Grip {

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
    public long token() {
        return handle.fencingToken().value();
    }

    @Override
    public String node() {
        return "";
    }

    @Override
    public void onLost(Runnable told) {
        handle.onLost(told);
    }

    @Override
    public void onReleased(Consumer<Boolean> told) {
        handle.released().whenComplete((none, unseen) -> told.accept(unseen == null));
    }
}
