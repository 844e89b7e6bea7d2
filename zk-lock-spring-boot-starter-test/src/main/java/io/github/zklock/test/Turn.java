package io.github.zklock.test;

import io.github.zklock.FencingToken;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.test.Alarms.Alarm;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One grant, shared by the handles of one ownership. {@link LockState#SUSPENDED} is never stored: it is HELD by a member
 * without a connection. What is not final or volatile is guarded by the ensemble's lock.
 */
final class Turn {

    private final LockKind kind;
    private final FencingToken token;
    private final Seat seat;
    private final LockPolicy policy;
    private final String holder;
    private final @Nullable Thread thread;
    private final long grantedAt;
    private final Duration waited;
    private final Set<LossAction> lossActions = new LinkedHashSet<>();
    /** What ends it if its holders do not: the maximum hold, and limits of single handles. */
    private final Set<Alarm> limits = new LinkedHashSet<>();

    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * <pre>
     * HELD -&gt; RELEASED | LOST
     * </pre>
     */
    private volatile LockState state = LockState.HELD;

    /** Written before {@link #state} becomes LOST. */
    private String lossReason = "";

    private int holds;
    private boolean longHoldTold;
    private boolean leakTold;
    /** What all handles of this turn refer to: once it is collected, nobody can give the lock back any more. */
    private @Nullable WeakReference<Object> grip;

    // the claim itself is not kept: it leads to the handle, which could then never be seen to be dropped
    Turn(LockKind kind, FencingToken token, Seat seat, Claim claim) {
        this.kind = kind;
        this.token = token;
        this.seat = seat;
        this.policy = claim.policy();
        this.holder = claim.asker();
        this.thread = claim.thread();
        this.grantedAt = seat.member().alarms().nanoTime();
        this.waited = Duration.ofNanos(grantedAt - claim.askedAt());
    }

    LockName name() {
        return seat.line().name();
    }

    LockKind kind() {
        return kind;
    }

    FencingToken token() {
        return token;
    }

    Seat seat() {
        return seat;
    }

    LockPolicy policy() {
        return policy;
    }

    String holder() {
        return holder;
    }

    @Nullable Thread thread() {
        return thread;
    }

    Duration waited() {
        return waited;
    }

    Duration held() {
        return seat.member().alarms().since(grantedAt);
    }

    /** Any thread. */
    LockState state() {
        // the connection first: on its return, what was lost meanwhile is marked before it
        boolean connected = seat.member().isConnected();
        LockState stored = state;
        return stored == LockState.HELD && !connected ? LockState.SUSPENDED : stored;
    }

    /** Any thread. */
    boolean isHeld() {
        return state() == LockState.HELD;
    }

    boolean isOver() {
        return state.isFinal();
    }

    /** Any thread. */
    Duration remaining() {
        return isHeld() ? seat.member().settings().sessionTimeout() : Duration.ZERO;
    }

    /** Any thread, once lost. */
    String lossReason() {
        return lossReason;
    }

    CompletableFuture<Void> released() {
        return released;
    }

    void addHold() {
        holds++;
    }

    /** True if it was the last one. */
    boolean dropHold() {
        holds--;
        return holds == 0;
    }

    void limit(Alarm alarm) {
        limits.add(alarm);
    }

    void endLimit(Alarm alarm) {
        alarm.cancel();
        limits.remove(alarm);
    }

    void endReleased() {
        end(LockState.RELEASED);
    }

    void endLost(String reason) {
        lossReason = reason;
        end(LockState.LOST);
    }

    Set<LossAction> lossActions() {
        return lossActions;
    }

    /** What a handle has to keep for as long as it exists. */
    Object grip() {
        Object existing = grip == null ? null : grip.get();
        Object shared = existing == null ? new Object() : existing;
        if (existing == null) {
            grip = new WeakReference<>(shared);
        }
        return shared;
    }

    /** True once, if no handle is left. */
    boolean tellLeak() {
        boolean first = !leakTold && grip != null && grip.refersTo(null);
        leakTold |= first;
        return first;
    }

    /** True once, if held for longer than this. */
    boolean tellLongHold(Duration threshold) {
        boolean first = !longHoldTold && held().compareTo(threshold) > 0;
        longHoldTold |= first;
        return first;
    }

    Held describe() {
        return new Held(
                name(), kind, seat.demand().permits(), token, state(), seat.id(), holder, held(), remaining(), holds);
    }

    private void end(LockState end) {
        state = end;
        limits.forEach(Alarm::cancel);
        limits.clear();
    }
}
