package io.github.zklock.test;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import io.github.zklock.test.Alarms.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One hold of a turn. */
final class MemoryHandle implements LockHandle {

    private final Turn turn;
    private final Member member;
    /** Kept, and not read: see {@link Turn#grip()}. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final Object grip;

    /** Guarded by the ensemble's lock. */
    private final List<LossAction> lossActions = new ArrayList<>(0);

    /** What {@link #loseAfter} has set. Guarded by the ensemble's lock. */
    private @Nullable Alarm limit;

    /**
     * <pre>
     * null (open) -&gt; RELEASED | LOST
     * </pre>
     *
     * Written under the ensemble's lock.
     */
    private volatile @Nullable LockState end;

    // only the thread that opened the scope uses these, apart from looking whether it is the one
    private LockContext.@Nullable Scope lockScope;
    private volatile @Nullable Thread lockScopeThread;

    private MemoryHandle(Turn turn, Object grip) {
        this.turn = turn;
        this.member = turn.seat().member();
        this.grip = grip;
    }

    /** A handle for a hold that has been counted. */
    static MemoryHandle of(Turn turn) {
        return new MemoryHandle(turn, turn.seat().member().ensemble().ask(turn::grip));
    }

    Turn turn() {
        return turn;
    }

    Member member() {
        return member;
    }

    boolean isOpen() {
        return end == null;
    }

    /** Opens the scope of {@code lock()}. */
    void openLockScope() {
        lockScope = LockContext.open(this);
        lockScopeThread = Thread.currentThread();
    }

    /** Whether a method of {@code Lock} opened a scope of this handle on the calling thread. */
    boolean hasLockScopeHere() {
        return lockScopeThread == Thread.currentThread();
    }

    void closeLockScope() {
        LockContext.Scope scope = lockScope;
        lockScope = null;
        lockScopeThread = null;
        if (scope != null) {
            scope.close();
        }
    }

    @Override
    public LockName name() {
        return turn.name();
    }

    @Override
    public FencingToken fencingToken() {
        return turn.token();
    }

    @Override
    public LockState state() {
        LockState own = end;
        return own == null ? turn.state() : own;
    }

    @Override
    public boolean isHeld() {
        return end == null && turn.isHeld();
    }

    @Override
    public Duration remaining() {
        return end == null ? turn.remaining() : Duration.ZERO;
    }

    @Override
    public void ensureHeld() {
        LockState now = state();
        switch (now) {
            case HELD -> {}
            case LOST -> throw lost();
            case RELEASED ->
                throw new LockLostException(name(), "Lock '" + name() + "' is not held: this handle was closed");
            case SUSPENDED ->
                throw new LockLostException(
                        name(),
                        "Lock '" + name()
                                + "' cannot be proven to be held at the moment: its process has no connection");
        }
    }

    @Override
    public Registration onLost(Runnable action) {
        LossAction due = new LossAction(Objects.requireNonNull(action, "action"));
        member.ensemble().run(() -> watch(due));
        return () -> member.ensemble().run(() -> callOff(due));
    }

    @Override
    public void loseAfter(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("Lock '" + name() + "': the limit " + time
                    + " is not positive; use a nanosecond or more, or close the handle");
        }
        member.ensemble().run(() -> limit(time));
    }

    @Override
    public void close() {
        boolean first = member.ensemble().ask(this::end);
        if (first && end == LockState.LOST) {
            throw lost();
        }
    }

    @Override
    public CompletionStage<Void> released() {
        return turn.released().minimalCompletionStage();
    }

    @Override
    public String toString() {
        return "LockHandle[" + name() + ", token " + fencingToken() + ", " + state() + "]";
    }

    private LockLostException lost() {
        return new LockLostException(name(), turn.lossReason() + " (token " + fencingToken() + ")");
    }

    private void watch(LossAction due) {
        if (end != null) {
            return;
        }
        lossActions.add(due);
        if (turn.state() == LockState.LOST) {
            member.ensemble().workers().runLossAction(due);
        } else {
            turn.lossActions().add(due);
        }
    }

    private void callOff(LossAction action) {
        action.callOff();
        lossActions.remove(action);
        turn.lossActions().remove(action);
    }

    private void limit(Duration time) {
        if (end == null && !turn.isOver()) {
            endLimit();
            limit = member.holdings().limit(turn, time, "the limit of " + time + " that was set on it is over");
        }
    }

    private void endLimit() {
        if (limit != null) {
            turn.endLimit(limit);
            limit = null;
        }
    }

    /** True the first time. */
    private boolean end() {
        if (end != null) {
            return false;
        }
        boolean lost = turn.isOver();
        end = lost ? LockState.LOST : LockState.RELEASED;
        List.copyOf(lossActions).forEach(this::callOff);
        endLimit();
        if (turn.dropHold() && !lost) {
            member.holdings().release(turn);
        }
        return true;
    }
}
