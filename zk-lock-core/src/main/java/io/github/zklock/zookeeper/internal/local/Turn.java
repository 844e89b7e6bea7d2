package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.FencingToken;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Chain;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Seat;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One grant: the time for which a claim uses a seat alone, or together with other readers. Thread-safe; shared by the
 * handles of one ownership.
 *
 * <pre>
 * HELD -&gt; RELEASED    the last hold was dropped
 * HELD -&gt; LOST        by the loop
 * </pre>
 *
 * <p>{@link LockState#SUSPENDED} is never stored: it is HELD with a proof that has run out. HELD is LOST if the engine
 * was replaced.
 */
public final class Turn extends Chain.Link<Turn> {

    /** A handle or scope of a caller on the turn. */
    public abstract static class Hold {

        /** The next element of {@link Turn#unclosed}. */
        protected @Nullable Hold nextUnclosed;

        /** Closes the hold. Returns how it ended; null if it was closed before. */
        protected abstract @Nullable LockState drop();
    }

    private static final CompletableFuture<Void> SEEN = CompletableFuture.completedFuture(null);

    private final LockName name;
    private final Demand demand;
    private final FencingToken token;
    private final Seat seat;
    private final LockPolicy policy;
    private final Time time;
    private final String holder;
    private final @Nullable Thread thread;
    private final long askedAt;
    private final long grantedAt;

    private final AtomicReference<LockState> state = new AtomicReference<>(LockState.HELD);
    private final AtomicInteger holds = new AtomicInteger(1);
    private final Set<LossAction> lossActions = ConcurrentHashMap.newKeySet(1);
    /** null until a caller asks for the stage; {@link #SEEN} once the release is confirmed. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> released = new AtomicReference<>();

    /**
     * The object that all handles of this turn refer to. When it is collected, no handle can release the lock any more.
     */
    private volatile @Nullable WeakReference<Object> grip;

    // only the loop uses these
    private final List<HoldLimit> limits = new ArrayList<>(0);
    private boolean longHoldTold;
    private boolean leakTold;
    private boolean suspensionTold;
    private boolean givenBack;
    private boolean lossTold;

    /**
     * Holds that were closed at the end of a stack, linked by {@link Hold#nextUnclosed}: the loop closes them. Any
     * thread writes it, as a field: see {@link Claim#abandoned}.
     */
    public volatile @Nullable Hold unclosed;

    private long lostAfterNanos;
    /** Written after {@link #lostAfterNanos}, and before the state. */
    private volatile String lossReason = "";

    Turn(Claim claim, FencingToken token, Seat seat, LockPolicy policy, Time time) {
        this.name = claim.name();
        this.demand = claim.demand();
        // does not keep the claim: its answer refers to the handle, which could then not be collected
        this.holder = claim.waiter();
        this.thread = claim.thread();
        this.askedAt = claim.askedAt();
        this.token = token;
        this.seat = seat;
        this.policy = policy;
        this.time = time;
        this.grantedAt = time.nanoTime();
    }

    public LockName name() {
        return name;
    }

    public Demand demand() {
        return demand;
    }

    public FencingToken token() {
        return token;
    }

    /** Returns whether the seat has served an earlier turn. */
    boolean isOnKeptSeat() {
        return Tokens.turn(token) != seat.place();
    }

    public Seat seat() {
        return seat;
    }

    public LockPolicy policy() {
        return policy;
    }

    public String holder() {
        return holder;
    }

    public @Nullable Thread thread() {
        return thread;
    }

    Duration waited() {
        return Duration.ofNanos(grantedAt - askedAt);
    }

    public Duration held() {
        return Duration.ofNanos(time.nanoTime() - grantedAt);
    }

    int holds() {
        return holds.get();
    }

    /** Returns the state. Any thread, no I/O. */
    public LockState state() {
        LockState stored = Objects.requireNonNull(state.get());
        if (stored != LockState.HELD || isProven()) {
            return stored;
        }
        return seat.session().isForsaken() ? LockState.LOST : LockState.SUSPENDED;
    }

    /** Returns whether the lock is provably held. Any thread, no I/O, no allocation. */
    public boolean isHeld() {
        return state.get() == LockState.HELD && isProven();
    }

    public Duration remaining() {
        return isHeld() ? Duration.ofNanos(seat.session().remainingNanos(time.nanoTime())) : Duration.ZERO;
    }

    /** Returns the message of the loss. */
    public String lossReason() {
        String reason = lossReason;
        return reason.isEmpty()
                ? "Lock '" + name + "' was lost"
                : "Lock '" + name + "' was lost after " + Words.of(Duration.ofNanos(lostAfterNanos)) + ": " + reason;
    }

    /** Returns a stage that completes when the release is confirmed. */
    public CompletionStage<Void> released() {
        CompletableFuture<Void> future =
                released.updateAndGet(asked -> asked == null ? new CompletableFuture<>() : asked);
        return Objects.requireNonNull(future).minimalCompletionStage();
    }

    /** Returns whether {@link #released} is complete. */
    public boolean isReleaseKnown() {
        CompletableFuture<Void> future = released.get();
        return future != null && future.isDone();
    }

    /**
     * Completes the stage with a failure: the client was closed or the engine was replaced before the release was
     * confirmed.
     */
    public void failReleased(Executor executor) {
        LockUnavailableException unseen = new LockUnavailableException(
                name,
                "The release of lock '" + name
                        + "' was not confirmed: "
                        + (seat.session().isForsaken()
                                ? "the lock engine failed before"
                                : "the client was closed before")
                        + "; ZooKeeper releases the lock at the latest when its session ends",
                null);
        CompletableFuture<Void> failed = CompletableFuture.failedFuture(unseen);
        CompletableFuture<Void> asked = released.compareAndSet(null, failed) ? null : released.get();
        if (asked != null && asked != SEEN) {
            executor.execute(() -> asked.completeExceptionally(unseen));
        }
    }

    /**
     * Completes the stage, because the release is confirmed. It completes on this executor, because dependent stages
     * are code of users.
     */
    public void completeReleased(Executor executor) {
        CompletableFuture<Void> asked = released.compareAndSet(null, SEEN) ? null : released.get();
        if (asked != null && asked != SEEN) {
            executor.execute(() -> asked.complete(null));
        }
    }

    public LockInspector.Held describe() {
        return new LockInspector.Held(
                name,
                demand.kind(),
                demand.permits(),
                token,
                state(),
                seat.id(),
                holder(),
                held(),
                remaining(),
                holds());
    }

    /** Adds a handle or scope. Returns false if the turn is over. */
    public boolean addHold() {
        int before = holds.get();
        while (before > 0 && !holds.compareAndSet(before, before + 1)) {
            before = holds.get();
        }
        return before > 0;
    }

    /**
     * Removes a handle or scope. Returns true if it was the last one and the lock has to be released. If an Error
     * interrupts the last call, another one does the rest.
     */
    public boolean dropHold() {
        return holds.decrementAndGet() <= 0 && state.compareAndSet(LockState.HELD, LockState.RELEASED);
    }

    /**
     * Changes the state to LOST. Does nothing if the turn is over. Only on the loop. Does not allocate, so that the
     * state is correct whatever else fails.
     */
    public void lose(String reason) {
        if (state.get() == LockState.HELD) {
            lostAfterNanos = time.nanoTime() - grantedAt;
            lossReason = reason;
            state.compareAndSet(LockState.HELD, LockState.LOST);
        }
    }

    /** Returns whether the turn was lost and its loss actions were not started yet. */
    public boolean isLossUntold() {
        return state.get() == LockState.LOST && !lossTold;
    }

    void markLossTold() {
        lossTold = true;
    }

    public void gripBy(Object newGrip) {
        grip = new WeakReference<>(newGrip);
    }

    /** Returns whether no handle can release the lock any more. */
    public boolean isLeaked() {
        WeakReference<Object> reference = grip;
        return reference != null && reference.refersTo(null) && state.get() == LockState.HELD;
    }

    /** Schedules an action that ends the turn after this delay. Replaces the earlier instant of the same limit. */
    public void limit(HoldLimit limit, long delayNanos, Runnable action) {
        endLimit(limit);
        if (state.get() == LockState.HELD && !limit.isOver()) {
            limit.arm(time.after(delayNanos, () -> {
                if (!limit.isOver()) {
                    action.run();
                }
            }));
            limits.add(limit);
        }
    }

    public void endLimit(HoldLimit limit) {
        limit.disarm();
        limits.remove(limit);
    }

    public void endLimits() {
        for (HoldLimit limit : limits) {
            limit.disarm();
        }
        limits.clear();
    }

    /** Returns whether the last hold was dropped. */
    public boolean isReleased() {
        return state.get() == LockState.RELEASED;
    }

    /** Returns true at the first call. */
    public boolean markGivenBack() {
        boolean first = !givenBack;
        givenBack = true;
        return first;
    }

    /** Closes the holds of {@link #unclosed}. Does not remove them from the list, to which other threads add. */
    public void closeUnclosed() {
        for (Hold hold = unclosed; hold != null; hold = hold.nextUnclosed) {
            hold.drop();
        }
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** Returns true at the first call. */
    public boolean markLongHoldTold() {
        boolean first = !longHoldTold;
        longHoldTold = true;
        return first;
    }

    /** Returns true at the first call. */
    public boolean markLeakTold() {
        boolean first = !leakTold;
        leakTold = true;
        return first;
    }

    /** Returns true at the first call since {@link #markResumed}. */
    public boolean markSuspended() {
        boolean first = !suspensionTold;
        suspensionTold = true;
        return first;
    }

    /** Returns true if {@link #markSuspended} was called before. */
    public boolean markResumed() {
        boolean was = suspensionTold;
        suspensionTold = false;
        return was;
    }

    public void addLossAction(LossAction action) {
        lossActions.add(action);
    }

    public void removeLossAction(LossAction action) {
        lossActions.remove(action);
    }

    public Set<LossAction> lossActions() {
        return lossActions;
    }

    private boolean isProven() {
        return seat.session().isValid(time.nanoTime());
    }
}
