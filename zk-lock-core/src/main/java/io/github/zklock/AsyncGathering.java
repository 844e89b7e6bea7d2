package io.github.zklock;

import java.util.List;
import java.util.Objects;
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
 * asking -&gt; abandoned    another thread completed the future: the request leaves the queue, and the acquired parts
 *                         are released
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
    private final List<LockHandle> scopes;

    private final CompletableFuture<LockHandle> whole = new CompletableFuture<>();

    /**
     * The open request. Written before {@link #whole} is read; read after another thread has completed {@link #whole}.
     */
    private volatile @Nullable CompletableFuture<?> asked;

    private AsyncGathering(Gathering gathering) {
        this.gathering = gathering;
        this.scopes = LockContext.wholes().toList();
    }

    /** Starts the acquisition for the calling thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // the result of this stage is not used
    static CompletableFuture<LockHandle> begin(Gathering gathering) {
        AsyncGathering begun = new AsyncGathering(gathering);
        begun.whole.whenComplete((handle, failure) -> begun.leaveQueue());
        begun.proceed();
        return begun.whole;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback receives the answer
    private void proceed() {
        try {
            while (!whole.isDone() && !gathering.isComplete()) {
                CompletableFuture<?> next = LockContext.askedWithin(scopes, gathering::askForNext);
                asked = next;
                if (whole.isDone()) {
                    leaveQueue();
                }
                if (!next.isDone()) {
                    next.whenComplete(this::answered);
                    return;
                }
                gathering.took(next.join());
            }
            if (whole.isDone() || !whole.complete(gathering.whole())) {
                gathering.undo(new IllegalStateException("Abandoned"));
            }
        } catch (Throwable failure) {
            fail(failure);
        }
    }

    private void answered(@Nullable Object parts, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
            return;
        }
        try {
            gathering.took(Objects.requireNonNull(parts));
        } catch (Throwable error) {
            fail(error);
            return;
        }
        proceed();
    }

    private void fail(Throwable failure) {
        Throwable cause = causeOf(failure);
        gathering.undo(cause);
        whole.completeExceptionally(cause);
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
