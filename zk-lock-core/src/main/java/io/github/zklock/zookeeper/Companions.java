package io.github.zklock.zookeeper;

import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.internal.local.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The further locks of a request for several locks. The engine grants each of them only if it is free at once and if the lock before
 * it was granted; otherwise it rejects the lock. Used by one thread, or by one future.
 */
final class Companions {

    private final EngineAccess engine;
    private final List<Acquisition> wanted;
    private final List<Claim> claims = new ArrayList<>();
    private final List<CompletableFuture<LockHandle>> answers = new ArrayList<>();

    Companions(EngineAccess engine, List<Acquisition> wanted) {
        this.engine = engine;
        this.wanted = wanted;
    }

    /** Makes the claims. A lock that the thread owns already, or that cannot be requested, ends the list. */
    List<Claim> claimsBehind(Claim first) {
        Claim before = first;
        for (Acquisition each : wanted) {
            FutureAnswer answer = new FutureAnswer(engine, each.name(), null);
            Claim claim = each.claimBehind(before, answer);
            if (claim == null) {
                break;
            }
            claims.add(claim);
            answers.add(answer.future());
            before = claim;
        }
        return claims;
    }

    /**
     * Waits for the answers to all claims up to the first that is rejected.
     *
     * @return the first lock and the locks that were granted behind it
     * @throws InterruptedException if the thread is interrupted; the caller then has to call {@link #leave}
     */
    List<LockHandle> awaitBehind(LockHandle first) throws InterruptedException {
        List<LockHandle> granted = new ArrayList<>(answers.size() + 1);
        granted.add(first);
        for (CompletableFuture<LockHandle> answer : answers) {
            try {
                granted.add(answer.get());
            } catch (ExecutionException refused) {
                if (refused.getCause() instanceof LockException) {
                    // the engine rejects all claims behind a rejected one
                    break;
                }
                throw new IllegalStateException(refused);
            }
        }
        return granted;
    }

    /** Completes as {@link #awaitBehind} does, once the first lock is granted. If it is cancelled, all claims are withdrawn. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what these stages return
    CompletableFuture<List<LockHandle>> behind(CompletableFuture<LockHandle> first) {
        CompletableFuture<List<LockHandle>> all = new CompletableFuture<>();
        CompletableFuture<?>[] answered = answers.stream()
                .map(answer -> answer.handle((handle, refused) -> true))
                .toArray(CompletableFuture<?>[]::new);
        all.whenComplete((handles, failure) -> {
            if (failure != null) {
                first.cancel(false);
                leave();
            }
        });
        first.whenComplete((handle, failure) -> {
            if (handle == null) {
                all.completeExceptionally(failure);
            } else {
                CompletableFuture.allOf(answered).whenComplete((none, never) -> {
                    if (!all.complete(granted(handle))) {
                        leave();
                        ((EngineHandle) handle).drop();
                    }
                });
            }
        });
        return all;
    }

    private List<LockHandle> granted(LockHandle first) {
        List<LockHandle> granted = new ArrayList<>(answers.size() + 1);
        granted.add(first);
        for (CompletableFuture<LockHandle> answer : answers) {
            @Nullable LockHandle handle = answer.isCompletedExceptionally() ? null : answer.getNow(null);
            if (handle == null) {
                break;
            }
            granted.add(handle);
        }
        return granted;
    }

    /** Withdraws all claims, and releases the locks that were granted to them. */
    void leave() {
        // a field can be written at the end of a stack, where no call is possible (L26)
        for (int i = 0; i < claims.size(); i++) {
            claims.get(i).abandoned = true;
        }
        claims.forEach(engine::cancel);
    }
}
