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
 * Locks that are asked for in the same request as another one, the first. Each is granted at once and behind the one before it, or
 * refused. For one thread, or for one future.
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

    /** The claims, behind that of the first lock. What cannot be asked for, or is owned already, ends them. */
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
     * The first lock and those that were granted behind it, on the thread that has the first one.
     *
     * @throws InterruptedException if interrupted; {@link #leave} has to follow
     */
    List<LockHandle> awaitBehind(LockHandle first) throws InterruptedException {
        List<LockHandle> granted = new ArrayList<>(answers.size() + 1);
        granted.add(first);
        for (CompletableFuture<LockHandle> answer : answers) {
            try {
                granted.add(answer.get());
            } catch (ExecutionException refused) {
                if (refused.getCause() instanceof LockException) {
                    // nor is any behind it granted
                    break;
                }
                throw new IllegalStateException(refused);
            }
        }
        return granted;
    }

    /** As {@link #awaitBehind}, once the first one is had. Whoever cancels it leaves all of them. */
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

    /** Nobody wants them any more. */
    void leave() {
        // first what needs no stack (L26)
        for (int i = 0; i < claims.size(); i++) {
            claims.get(i).abandoned = true;
        }
        claims.forEach(engine::cancel);
    }
}
