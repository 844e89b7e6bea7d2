package io.github.zklock;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A gathering without a thread: whoever brings the answer for one part asks for the next.
 *
 * <pre>
 * asking -&gt; asking       the answer was a part
 * asking -&gt; granted      it was the last one
 * asking -&gt; failed       it was a failure: what was taken is given back, then the future fails
 * asking -&gt; abandoned    somebody else completed the future: the queue is left, what was taken is given back
 * </pre>
 *
 * The future is the state: who completes it decides.
 */
final class AsyncGathering {

    private final Gathering gathering;
    /** Those of the asker: what it owns is re-entered, whichever thread asks for it later. */
    private final List<LockHandle> scopes;

    private final CompletableFuture<LockHandle> whole = new CompletableFuture<>();

    /** What is asked for. Written before {@link #whole} is looked at; read after that was completed from outside. */
    private volatile @Nullable CompletableFuture<?> asked;

    private AsyncGathering(Gathering gathering) {
        this.gathering = gathering;
        this.scopes = LockContext.wholes().toList();
    }

    /** Begins, for the calling thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what this stage returns
    static CompletableFuture<LockHandle> begin(Gathering gathering) {
        AsyncGathering begun = new AsyncGathering(gathering);
        begun.whole.whenComplete((handle, failure) -> begun.leaveQueue());
        begun.proceed();
        return begun.whole;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer comes back by the callback
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

    /** Without effect on what is answered already. */
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
