package io.github.zklock.aop;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The handle of a semaphore permit that an annotated call holds. It has its own type because a permit limits the number
 * of calls and guards no data.
 */
public final class PermitHandle implements LockHandle {

    private final LockHandle granted;

    public PermitHandle(LockHandle granted) {
        this.granted = granted;
    }

    @Override
    public LockName name() {
        return granted.name();
    }

    @Override
    public FencingToken fencingToken() {
        return granted.fencingToken();
    }

    @Override
    public LockKind kind() {
        return granted.kind();
    }

    @Override
    public LockState state() {
        return granted.state();
    }

    @Override
    public boolean isHeld() {
        return granted.isHeld();
    }

    @Override
    public Duration remaining() {
        return granted.remaining();
    }

    @Override
    public void ensureHeld() {
        granted.ensureHeld();
    }

    @Override
    public Registration onLost(Runnable action) {
        return granted.onLost(action);
    }

    @Override
    public void loseAfter(Duration limit) {
        granted.loseAfter(limit);
    }

    @Override
    public void close() {
        granted.close();
    }

    @Override
    public CompletionStage<Void> released() {
        return granted.released();
    }

    @Override
    public String toString() {
        return granted.toString();
    }
}
