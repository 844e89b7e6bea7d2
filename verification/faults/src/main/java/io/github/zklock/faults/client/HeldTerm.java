package io.github.zklock.faults.client;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;

/** A term of a leadership of our registry. */
record HeldTerm(Leadership leadership, HeldHandle lock) implements HeldLock {

    HeldTerm(Leadership leadership, LockHandle lock) {
        this(leadership, new HeldHandle(lock));
    }

    @Override
    public boolean isHeld() {
        return leadership.isLeader();
    }

    @Override
    public long remainingNanos() {
        return lock.remainingNanos();
    }

    @Override
    public String state() {
        return lock.state();
    }

    @Override
    public boolean isLost() {
        return lock.isLost();
    }

    @Override
    public long token() {
        return lock.token();
    }

    @Override
    public String node() {
        return lock.node();
    }

    @Override
    public void onLost(Runnable listener) {
        lock.onLost(listener);
    }

    @Override
    public void onReleased(Runnable seen, Runnable unseen) {
        lock.onReleased(seen, unseen);
    }
}
