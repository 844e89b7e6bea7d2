package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.Handle;
import io.github.zklock.internal.OpenScopes;
import io.github.zklock.zookeeper.internal.runtime.CallerFuture;
import io.github.zklock.zookeeper.internal.runtime.Steps;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A gathering that blocks no thread: the thread that delivers the answer for one part requests the next part.
 *
 * <pre>
 * asking -&gt; asking       the answer was a part
 * asking -&gt; granted      the answer was the last part
 * asking -&gt; failed       the answer was a failure: the acquired parts are released, then the future fails
 * asking -&gt; abandoned    the caller completes the future: the request leaves the queue, and the acquired parts are
 *                         released, before the stages of the future run
 * </pre>
 *
 * <p>The future is the state: the first thread that completes it decides the outcome.
 */
final class AsyncGathering {

    private final Gathering gathering;
    /**
     * The open scopes of the requesting thread. Its locks are re-entered, no matter which thread requests the later
     * parts.
     */
    private final List<?> scopes;

    private final CallerFuture<Handle> whole = new CallerFuture<>(this::leave);

    /** The open request. Written before {@link #left} is read; read after {@link #left} is written. */
    private volatile @Nullable CompletableFuture<?> asked;

    /** Whether the caller has completed the future before its answer. */
    private volatile boolean left;

    private AsyncGathering(Gathering gathering) {
        this.gathering = gathering;
        this.scopes = OpenScopes.copy();
    }

    /** Starts the acquisition for the calling thread. */
    static CompletableFuture<Handle> begin(Gathering gathering) {
        AsyncGathering begun = new AsyncGathering(gathering);
        CompletableFuture<List<?>> start = new CompletableFuture<>();
        begun.after(start);
        start.complete(List.of());
        return begun.whole;
    }

    private void after(CompletableFuture<?> parts) {
        Steps.then(parts, Runnable::run, this::proceed, this::fail);
    }

    private void proceed(Object parts) {
        gathering.took(parts);
        while (!left && !gathering.isComplete()) {
            CompletableFuture<?> next = OpenScopes.within(scopes, gathering::askForNext);
            asked = next;
            if (left) {
                leaveQueue();
            }
            if (!next.isDone()) {
                after(next);
                return;
            }
            gathering.took(next.join());
        }
        if (!left && whole.decide(gathering.whole())) {
            whole.tell();
        } else {
            gathering.undo(new IllegalStateException("Abandoned"));
        }
    }

    private void fail(Throwable failure) {
        Throwable cause = causeOf(failure);
        if (!whole.isAnswered()) {
            takeLatest();
            gathering.undo(cause);
            whole.decideFailure(cause);
        }
        if (whole.isAnswered()) {
            whole.tell();
        }
    }

    /** Withdraws the latest request, or takes its answer, if an Error has prevented that: its locks are given up. */
    private void takeLatest() {
        CompletableFuture<?> latest = asked;
        if (latest != null && !latest.cancel(false) && !latest.isCompletedExceptionally()) {
            // parts that are taken twice are closed twice, which has no effect
            gathering.took(latest.join());
        }
    }

    private void leave() {
        left = true;
        leaveQueue();
    }

    /** Cancels the open request. Has no effect if it is answered already. */
    private void leaveQueue() {
        CompletableFuture<?> open = asked;
        if (open != null) {
            open.cancel(false);
        }
    }

    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
