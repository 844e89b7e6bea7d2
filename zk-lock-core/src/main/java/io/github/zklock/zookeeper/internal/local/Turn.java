package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.FencingToken;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.zookeeper.internal.queue.Demand;
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
 * One grant: the time for which a claim has a seat to itself, or shares it with other readers. Thread-safe; shared by the handles of one ownership.
 *
 * <pre>
 * HELD -&gt; RELEASED    the last hold was dropped
 * HELD -&gt; LOST        by the loop
 * </pre>
 *
 * {@link LockState#SUSPENDED} is never stored: it is HELD whose proof has run out. HELD whose engine was replaced is LOST.
 */
public final class Turn {

    /** What a caller has of the turn. */
    public abstract static class Hold {

        /** Among {@link Turn#unclosed}. */
        protected @Nullable Hold nextUnclosed;

        /** Closes it unless it is closed; how it ended if this has closed it. */
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
    /** null until somebody asks; {@link #SEEN} once the cluster has seen the release. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> released = new AtomicReference<>();

    /** What all handles of this turn refer to: once it is collected, nobody can give the lock back any more. */
    private volatile @Nullable WeakReference<Object> grip;

    // only the loop uses these
    private final List<HoldLimit> limits = new ArrayList<>(0);
    private boolean longHoldTold;
    private boolean leakTold;
    private boolean suspensionTold;
    private boolean givenBack;
    private boolean lossTold;

    // only LiveTurns uses these
    @Nullable Turn previous;

    @Nullable Turn next;

    boolean listed;

    /**
     * Holds that were closed at the end of a stack, linked by {@link Hold#nextUnclosed}: the loop closes them. Written by any
     * thread, as a field: see {@link Claim#abandoned}.
     */
    public volatile @Nullable Hold unclosed;

    private long lostAfterNanos;
    /** Written after {@link #lostAfterNanos}, and before the state. */
    private volatile String lossReason = "";

    Turn(Claim claim, FencingToken token, Seat seat, LockPolicy policy, Time time) {
        this.name = claim.name();
        this.demand = claim.demand();
        // not the claim itself: its answer leads to the handle, which could then never be seen to be dropped
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

    /** Any thread, no I/O. */
    public LockState state() {
        LockState stored = Objects.requireNonNull(state.get());
        if (stored != LockState.HELD || isProven()) {
            return stored;
        }
        return seat.session().isForsaken() ? LockState.LOST : LockState.SUSPENDED;
    }

    /** Any thread, no I/O, no allocation. */
    public boolean isHeld() {
        return state.get() == LockState.HELD && isProven();
    }

    public Duration remaining() {
        return isHeld() ? Duration.ofNanos(seat.session().remainingNanos(time.nanoTime())) : Duration.ZERO;
    }

    /** Why it was lost. */
    public String lossReason() {
        String reason = lossReason;
        return reason.isEmpty()
                ? "Lock '" + name + "' was lost"
                : "Lock '" + name + "' was lost after " + Duration.ofNanos(lostAfterNanos) + ": " + reason;
    }

    /** Completes when the cluster has seen the release. */
    public CompletionStage<Void> released() {
        CompletableFuture<Void> future =
                released.updateAndGet(asked -> asked == null ? new CompletableFuture<>() : asked);
        return Objects.requireNonNull(future).minimalCompletionStage();
    }

    /** Nobody will see the release: the client was closed before, or the engine was replaced. */
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

    /** The cluster has seen the release: whoever asked is told on this executor, as what follows is code of users. */
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

    /** One more handle or scope; false if the turn is over. */
    public boolean addHold() {
        int before = holds.get();
        while (before > 0 && !holds.compareAndSet(before, before + 1)) {
            before = holds.get();
        }
        return before > 0;
    }

    /** One handle or scope less; true if it was the last one and the lock is to be given back. */
    public boolean dropHold() {
        return holds.decrementAndGet() == 0 && state.compareAndSet(LockState.HELD, LockState.RELEASED);
    }

    /** Only on the loop. Does nothing if the turn is over. Allocates nothing: whatever else fails, the state says so. */
    public void lose(String reason) {
        if (state.get() == LockState.HELD) {
            lostAfterNanos = time.nanoTime() - grantedAt;
            lossReason = reason;
            state.compareAndSet(LockState.HELD, LockState.LOST);
        }
    }

    /** Whether it was lost, and the actions of its holders are not under way yet. */
    public boolean isLossUntold() {
        return state.get() == LockState.LOST && !lossTold;
    }

    void markLossTold() {
        lossTold = true;
    }

    public void gripBy(Object newGrip) {
        grip = new WeakReference<>(newGrip);
    }

    /** Whether nobody can give the lock back any more. */
    public boolean isLeaked() {
        WeakReference<Object> reference = grip;
        return reference != null && reference.refersTo(null) && state.get() == LockState.HELD;
    }

    /** Has the action end the turn after this delay if its holders do not before. Replaces what the same limit was before. */
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
        limits.forEach(HoldLimit::disarm);
        limits.clear();
    }

    /** Whether its last hold was dropped. */
    public boolean isReleased() {
        return state.get() == LockState.RELEASED;
    }

    /** True the first time. */
    public boolean markGivenBack() {
        boolean first = !givenBack;
        givenBack = true;
        return first;
    }

    /** Closes what was left to the loop. Nothing is taken off the list, to which other threads add. */
    public void closeUnclosed() {
        for (Hold hold = unclosed; hold != null; hold = hold.nextUnclosed) {
            hold.drop();
        }
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** True the first time. */
    public boolean markLongHoldTold() {
        boolean first = !longHoldTold;
        longHoldTold = true;
        return first;
    }

    /** True the first time. */
    public boolean markLeakTold() {
        boolean first = !leakTold;
        leakTold = true;
        return first;
    }

    /** True the first time since {@link #markResumed}. */
    public boolean markSuspended() {
        boolean first = !suspensionTold;
        suspensionTold = true;
        return first;
    }

    /** True if {@link #markSuspended} came before. */
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
