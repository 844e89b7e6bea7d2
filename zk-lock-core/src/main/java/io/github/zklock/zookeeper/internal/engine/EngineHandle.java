package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.HoldLimit;
import io.github.zklock.zookeeper.internal.local.LossAction;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One hold of a turn. */
final class EngineHandle extends Turn.Hold implements LockHandle {

    private final Turn turn;
    private final EngineAccess engine;
    /** Shared by all handles of the turn and by no other object: see {@link Turn#isLeaked}. */
    private final Object grip;

    private enum End {
        /** The close has begun. The first thread that reads the state replaces this value by one of the others. */
        CLOSING,
        RELEASED,
        LOST
    }

    /**
     * The end of this handle; null while it is open and the state of the turn counts.
     *
     * <pre>
     * null -&gt; CLOSING -&gt; RELEASED | LOST
     * </pre>
     */
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();

    private final List<LossAction> lossActions = new CopyOnWriteArrayList<>();
    private final HoldLimit limit = new HoldLimit();

    private boolean isUnclosed;
    /** Whether an Error has interrupted {@link #drop} before the hold was dropped. {@link Turn#closeUnclosed} drops it. */
    private volatile boolean isUndropped;

    /** The scope that a method of Lock opened for this hold, on the thread that may close it. */
    private LockContext.@Nullable Scope lockScope;

    private @Nullable Thread lockScopeThread;

    private EngineHandle(Turn turn, EngineAccess engine, Object grip) {
        this.turn = turn;
        this.engine = engine;
        this.grip = grip;
    }

    /** Returns the first hold of a turn. */
    private static EngineHandle first(Turn turn, EngineAccess engine) {
        Object grip = new Object();
        turn.gripBy(grip);
        return new EngineHandle(turn, engine, grip);
    }

    /**
     * Returns the handle of a granted turn.
     *
     * @param own the hold that the caller re-entered, if any
     */
    static EngineHandle of(Turn turn, @Nullable EngineHandle own, EngineAccess engine) {
        return own != null && own.turn == turn ? own.another() : first(turn, engine);
    }

    /** Returns a further hold of the same turn, which {@link Turn#addHold} has to count. */
    EngineHandle another() {
        return new EngineHandle(turn, engine, grip);
    }

    Turn turn() {
        return turn;
    }

    @Override
    public LockKind kind() {
        return turn.demand().kind();
    }

    boolean isOf(EngineAccess other) {
        return engine == other;
    }

    boolean isOpen() {
        return end.get() == null;
    }

    /** Opens the scope of {@code lock()}. */
    void openLockScope() {
        lockScope = LockContext.open(this);
        lockScopeThread = Thread.currentThread();
    }

    /** Returns whether the current thread may call {@link #closeLockScope}. */
    boolean isLockScopeOfThisThread() {
        return lockScopeThread == Thread.currentThread();
    }

    void closeLockScope() {
        LockContext.Scope scope = lockScope;
        if (scope != null) {
            lockScope = null;
            lockScopeThread = null;
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
        // reads the turn before the end: if the handle is still open after the turn was seen lost, its close sees that
        // loss too
        LockState now = turn.state();
        return isOpen() ? now : endState();
    }

    @Override
    public boolean isHeld() {
        return end.get() == null && turn.isHeld();
    }

    @Override
    public Duration remaining() {
        return isHeld() ? turn.remaining() : Duration.ZERO;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw new LockLostException(
                    name(),
                    switch (state()) {
                        case LOST -> lossMessage();
                        case RELEASED -> "Lock '" + name() + "' is not held: this handle was closed";
                        default ->
                            "Lock '" + name()
                                    + "' cannot be proven to be held at the moment: its session was not confirmed in time";
                    });
        }
    }

    @Override
    public Registration onLost(Runnable action) {
        LossAction due = new LossAction(Objects.requireNonNull(action, "action"));
        lossActions.add(due);
        turn.addLossAction(due);
        if (!isOpen()) {
            drop(due);
        } else if (turn.state() == LockState.LOST) {
            engine.runLossAction(due);
        }
        return () -> drop(due);
    }

    @Override
    public void loseAfter(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("Lock '" + name() + "': the limit " + Words.of(time)
                    + " is not positive; use a nanosecond or more, or close the handle");
        }
        if (isOpen()) {
            limit.ask();
            engine.limit(turn, limit, time);
        }
    }

    /**
     * @throws StackOverflowError if the stack has no room for the close; the lock is released nevertheless, within a
     *     second or two
     */
    @Override
    public void close() {
        close(null);
    }

    /**
     * Closes the handle.
     *
     * @param ended receives the turn if this was its last handle, so that the caller releases it; null to release it
     *     here
     */
    void close(@Nullable List<Turn> ended) {
        boolean room = false;
        try {
            room = StackProbe.hasRoom();
        } finally {
            // no call here: the stack may have no room for it
            if (!room && !isUnclosed) {
                isUnclosed = true;
                nextUnclosed = turn.unclosed;
                turn.unclosed = this;
            }
        }
        if (!room) {
            throw new StackOverflowError(
                    "The stack has no room to close the handle of a lock; the lock is released in the background");
        }
        if (drop(false, ended == null ? engine::releaseUnchecked : ended::add) == LockState.LOST) {
            throw new LockLostException(name(), lossMessage());
        }
    }

    @Override
    protected @Nullable LockState drop() {
        // of a handle that a caller has seen, only the loop calls this method, so no other thread drops the same hold
        boolean again = isUndropped;
        isUndropped = false;
        return drop(again, engine::release);
    }

    /**
     * @param again whether an earlier call was interrupted
     * @param release receives the turn if this was its last handle
     */
    private @Nullable LockState drop(boolean again, Consumer<Turn> release) {
        if (!end.compareAndSet(null, End.CLOSING) && !again) {
            return null;
        }
        boolean dropped = false;
        try {
            // first, because from here on this limit must not end the hold of other handles
            boolean limited = limit.end();
            LockState last = endState();
            boolean over = turn.dropHold();
            dropped = true;
            if (over) {
                // if an Error prevents this call, EngineKeeper.look releases the turn
                release.accept(turn);
            } else if (limited) {
                engine.endLimit(turn, limit);
            }
            for (LossAction action : lossActions) {
                drop(action);
            }
            return last;
        } finally {
            // no call here, as in close()
            if (!dropped) {
                isUndropped = true;
                if (!isUnclosed) {
                    isUnclosed = true;
                    nextUnclosed = turn.unclosed;
                    turn.unclosed = this;
                }
            }
        }
    }

    @Override
    public CompletionStage<Void> released() {
        return engine.released(turn);
    }

    @Override
    public String toString() {
        return "LockHandle[" + name() + ", token " + fencingToken() + ", " + state() + "]";
    }

    private LockState endState() {
        if (end.get() == End.CLOSING) {
            end.compareAndSet(End.CLOSING, turn.state() == LockState.LOST ? End.LOST : End.RELEASED);
        }
        return end.get() == End.LOST ? LockState.LOST : LockState.RELEASED;
    }

    private String lossMessage() {
        return turn.lossReason() + " (token " + fencingToken() + ")";
    }

    private void drop(LossAction action) {
        action.cancel();
        lossActions.remove(action);
        turn.removeLossAction(action);
    }
}
