package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.runtime.CallerFuture;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the claims of one request, as a future. It completes when the engine has answered all of them, with
 * the locks that were granted up to the first one that was rejected. If the first lock was rejected, the future fails.
 *
 * @param <T> the result of the future
 */
final class FutureAnswer<T> {

    private final EngineAccess engine;
    private final @Nullable EngineHandle own;
    private final String asker = Words.nameOf(Thread.currentThread());
    private final Function<List<LockHandle>, T> result;
    private final Executor answers;
    private final CallerFuture<T> future = new CallerFuture<>(this::leave);
    private final List<Part> parts = new ArrayList<>(1);
    private Claim[] claims = {};
    private volatile @Nullable T granted;
    /** Whether an Error prevented the completion of the future after the answers. */
    private volatile boolean stranded;

    /**
     * @param own the hold of the first lock that the thread re-enters, if any
     * @param answers completes the future, and so runs its stages
     */
    FutureAnswer(
            EngineAccess engine, @Nullable EngineHandle own, Function<List<LockHandle>, T> result, Executor answers) {
        this.engine = engine;
        this.own = own;
        this.result = result;
        this.answers = answers;
    }

    CompletableFuture<T> future() {
        return future;
    }

    /** Returns the answer for the next claim. */
    Claim.Answer next(LockName name) {
        Part part = new Part(name);
        parts.add(part);
        return part;
    }

    void setClaims(Claim[] all) {
        claims = all;
    }

    /** Withdraws all claims, which releases the locks that were granted to them. May be called twice. */
    private void leave() {
        Claim[] all = claims;
        // fields first: if a call fails, the engine finds the claims by them (L26)
        for (int i = 0; i < all.length; i++) {
            all[i].abandoned = true;
        }
        for (Claim claim : all) {
            engine.cancel(claim);
        }
    }

    /** Runs on the loop. */
    private void answered() {
        for (Part part : parts.subList(0, claims.length)) {
            if (part.answer == null) {
                return;
            }
        }
        stranded = false;
        answers.execute(() -> {
            boolean arrived = false;
            try {
                complete();
                arrived = true;
            } finally {
                stranded = !arrived;
            }
        });
    }

    private void complete() {
        Part first = parts.get(0);
        if (first.answer instanceof Refusal refusal) {
            future.decideFailure(refusal.toException(first.name));
            future.tell();
            return;
        }
        T value = granted;
        if (value == null) {
            value = result.apply(handles());
            granted = value;
        }
        if (!future.decide(value)) {
            // the caller has left; an Error may have prevented the withdrawal of the claims
            leave();
        }
        future.tell();
    }

    private List<LockHandle> handles() {
        List<LockHandle> handles = new ArrayList<>(claims.length);
        for (int i = 0; i < claims.length && parts.get(i).answer instanceof Turn turn; i++) {
            handles.add(EngineHandle.of(turn, i == 0 ? own : null, engine));
        }
        return handles;
    }

    /** The answer to one claim. */
    private final class Part implements Claim.Answer {

        private final LockName name;
        private volatile @Nullable Object answer;

        Part(LockName name) {
            this.name = name;
        }

        @Override
        public void granted(Turn turn) {
            answer = turn;
            answered();
        }

        @Override
        public void refused(Refusal refusal) {
            answer = refusal;
            answered();
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
}
