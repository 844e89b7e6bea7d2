package io.github.zklock.aop;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.annotation.OnLost;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The hold of a call whose work goes on after the method has returned. Bound to no thread: who ends the work ends it. */
final class AsyncHold {

    private final HeldLock held;
    private final CallObserver.Observed observed;
    /** What the method is to see of it: in a nested call, the handle of the call around it. */
    private final LockHandle shown;

    private AsyncHold(AskedCall asked, LockHandle handle) {
        this.observed = asked.observed();
        this.held = new HeldLock(asked.method(), asked.request(), handle, observed);
        this.shown = asked.around().shown(asked.request(), handle);
    }

    static AsyncHold begin(AskedCall asked, LockHandle handle) {
        try {
            return new AsyncHold(asked, handle);
        } catch (Throwable failed) {
            asked.observed().ended(failed);
            HeldLock.giveBackUnused(handle);
            throw failed;
        }
    }

    LockHandle handle() {
        return held.handle();
    }

    CallObserver.Observed observed() {
        return observed;
    }

    OnLost onLost() {
        return held.request().onLost();
    }

    /** Runs the method itself: until it returns, the hold is that of this thread, and nested calls re-enter. */
    @Nullable Object run(LockedCall call) throws Throwable {
        try (CallObserver.Scope current = observed.open();
                LogNames names = new LogNames(held.request(), held.handle());
                LockContext.Scope scope = LockContext.open(held.handle())) {
            return call.proceedAgain(shown);
        }
    }

    /**
     * Ends the hold after the work has. To be called once.
     *
     * @param failure that of the work, into which a loss is suppressed; null if it succeeded
     * @return how the result of the call is to fail; null if it succeeds
     */
    @Nullable Throwable end(@Nullable Throwable failure) {
        return end(failure, TransactionTie.NONE);
    }

    /** As {@link #end(Throwable)}, unless the lock stays with the transaction around the call. */
    @Nullable Throwable end(@Nullable Throwable failure, TransactionTie transactions) {
        RuntimeException trouble = held.end(failure == null ? null : causeOf(failure), transactions);
        return failure == null ? trouble : failure;
    }

    /** What a stage has failed with, as its own method threw it. */
    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wraps && cause != null ? cause : failure;
    }
}
