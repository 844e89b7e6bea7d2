package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The executor of the library's own steps beside the loop: deadlines and the steps of a job. It runs no code of users
 * and nothing that blocks, so that no step waits for code of users.
 */
public interface Steps extends Executor {

    /**
     * Runs the step when this time is over.
     *
     * @return cancels the step; without effect if it has begun
     */
    Runnable after(long nanos, Runnable step);

    /**
     * Runs the next step with the answer, or the end with the failure of the answer or of the next step. If an Error
     * interrupts the end, or prevents a step, the end runs again. (L26)
     */
    @SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // the end handles failures, and has no result
    static <T> void then(
            CompletableFuture<T> answer, Executor executor, Consumer<? super T> next, Consumer<Throwable> end) {
        Function<Throwable, Void> ending = failure -> {
            end.accept(failure);
            return null;
        };
        answer.thenAcceptAsync(next, executor)
                .exceptionallyAsync(ending, executor)
                .exceptionally(ending);
    }
}
