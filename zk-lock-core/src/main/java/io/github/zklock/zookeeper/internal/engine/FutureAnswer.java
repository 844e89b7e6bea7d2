package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An answer for nobody's thread: a future, completed where code of users may run. */
final class FutureAnswer implements Claim.Answer {

    private final EngineAccess engine;
    private final LockName name;
    private final @Nullable EngineHandle own;
    private final String asker = LockContext.nameOf(Thread.currentThread());
    private final CompletableFuture<LockHandle> future = new CompletableFuture<>();
    private volatile @Nullable LockHandle granted;
    private volatile @Nullable Claim claim;
    /** Whether an Error came between the answer and the future. */
    private volatile boolean stranded;

    /** @param own what the asker re-enters, if it does */
    FutureAnswer(EngineAccess engine, LockName name, @Nullable EngineHandle own) {
        this.engine = engine;
        this.name = name;
        this.own = own;
    }

    CompletableFuture<LockHandle> future() {
        return future;
    }

    /** Whoever completes the future from outside, by cancel, orTimeout or a value, takes the claim back. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what this stage returns
    void leaveQueueWhenCancelled(Claim claim) {
        this.claim = claim;
        future.whenComplete((handle, failure) -> {
            if (handle == null || handle != granted) {
                takeBack();
            }
        });
    }

    /** May be done twice. */
    private void takeBack() {
        Claim asked = claim;
        if (asked != null) {
            asked.abandoned = true;
            engine.cancel(asked);
        }
    }

    @Override
    public void granted(Turn turn) {
        arrive(() -> {
            LockHandle handle = granted;
            if (handle == null) {
                handle = EngineHandle.of(turn, own, engine);
                granted = handle;
            }
            boolean completed = future.complete(handle);
            if (!completed && (future.isCompletedExceptionally() || future.getNow(null) != handle)) {
                // somebody else completed the future; an Error may have prevented the cancellation of the claim
                takeBack();
            }
        });
    }

    @Override
    public void refused(Refusal refusal) {
        arrive(() -> future.completeExceptionally(refusal.toException(name)));
    }

    private void arrive(Runnable completion) {
        stranded = false;
        engine.callbacks().execute(() -> {
            boolean arrived = false;
            try {
                completion.run();
                arrived = true;
            } finally {
                stranded = !arrived;
            }
        });
    }

    @Override
    public boolean hasArrived() {
        return future.isDone();
    }

    @Override
    public boolean isStranded() {
        return stranded;
    }

    @Override
    public String asker() {
        return asker;
    }
}
