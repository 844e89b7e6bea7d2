package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockLostException;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.aop.method.Place;
import io.github.zklock.observation.CallObservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskRejectedException;

/**
 * One call that acquires its lock without blocking, from the request until the work has ended. It is not bound to a
 * thread.
 *
 * <pre>
 * waiting -&gt; refused    the lock was not acquired, or no thread runs the method: the lock is released
 * waiting -&gt; held       begin()
 * held    -&gt; ended      end(), after the work has ended
 * </pre>
 */
final class AsyncCall {

    private final LockedCall call;
    private final LockRequest request;
    private final CallObservation observed;
    /** The open holds around the caller. */
    private final Enclosing around;

    private final CompletableFuture<? extends Handle> answer;

    /** Null until {@link #begin}. Happens-before: a thread that sees the end of the work also sees this field. */
    private @Nullable HeldLock held;

    private AsyncCall(
            LockedCall call,
            LockRequest request,
            CallObservation observed,
            Enclosing around,
            CompletableFuture<? extends Handle> answer) {
        this.call = call;
        this.request = request;
        this.observed = observed;
        this.around = around;
        this.answer = answer;
    }

    /**
     * Requests the lock for the current thread, whose open scopes are re-entered. A failure completes the answer.
     *
     * @param carried reads the context of the subscriber
     */
    static AsyncCall ask(
            LockedCall call,
            LockRequest request,
            Function<Object, @Nullable Object> carried,
            TransactionTie transactions) {
        CallObservation observed = CallObservation.NOTHING;
        CompletableFuture<? extends Handle> answer;
        try {
            transactions.forCall(request.names());
            observed = call.observe(request, carried);
            answer = request.acquireAsync();
        } catch (RuntimeException | Error refused) {
            answer = CompletableFuture.failedFuture(refused);
        }
        return new AsyncCall(call, request, observed, Enclosing.ofThread(), answer);
    }

    /**
     * Passes the answer on, exactly once. A call that re-enters continues on the current thread. Every other call
     * continues on the executor of asynchronous calls, with the context of the current thread. This holds also if the
     * answer is already complete, so that the thread of a method does not depend on timing.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the next step handles its failures
    void whenAnswered(BiConsumer<? super @Nullable Handle, ? super @Nullable Throwable> next) {
        if (reEnters()) {
            answer.whenComplete(next);
            return;
        }
        CallThreads.Task task;
        try {
            task = threads().prepare(() -> answer.whenComplete(next));
        } catch (Throwable undecorated) {
            abandon();
            answer.whenComplete((handle, refusal) -> releaseUnused(handle));
            next.accept(null, undecorated);
            return;
        }
        answer.whenComplete((handle, refusal) -> task.execute(failure -> {
            releaseUnused(handle);
            next.accept(null, whyNotRun(refusal, failure));
        }));
    }

    /** Cancels the request, so that the call leaves the queue. No effect if the answer is already complete. */
    void abandon() {
        answer.cancel(false);
    }

    /** Releases the lock of an abandoned call. */
    void abandoned(@Nullable Handle handle, Throwable reason) {
        releaseUnused(handle);
        observed.refused(reason);
    }

    /** Applies the reaction of {@link LockedCall#refused}. */
    @Nullable Object refused(Throwable reason) throws Throwable {
        observed.refused(reason);
        return call.refused(reason, request);
    }

    /**
     * Starts the hold. If that fails, the lock is released.
     *
     * @return the handle under which the method runs
     * @throws LockLostException if the lock was lost between its grant and the start of the method
     * @throws RuntimeException if the transaction around the call rejects the lock; {@link #end} then ends the hold
     */
    Handle begin(Handle handle, TransactionTie transactions) {
        HeldLock begun = HeldLock.begin(call, request, handle, observed);
        held = begun;
        call.tie(begun.handle(), transactions);
        return begun.handle();
    }

    /** Runs the method. Until it returns, the hold belongs to this thread, and nested calls re-enter the lock. */
    @Nullable Object run(Handle handle) throws Throwable {
        try (CallObservation.Scope current = observed.open();
                LogNames names = new LogNames(request, handle);
                LockContext.Scope scope = LockContext.open(handle)) {
            return call.proceedAgain(around.shown(handle));
        }
    }

    /**
     * Ends the hold, if any, after the work has ended. To be called once.
     *
     * @param failure the failure of the work, to which a loss is added as suppressed; null if the work succeeded
     * @param transactions keeps the lock if it belongs to the transaction around the call
     * @return the failure of the call; null if the call succeeds
     */
    @Nullable Throwable end(@Nullable Throwable failure, TransactionTie transactions) {
        HeldLock ended = held;
        if (ended == null) {
            return failure;
        }
        RuntimeException trouble = ended.end(failure == null ? null : causeOf(failure), transactions);
        return failure == null ? trouble : failure;
    }

    Place place() {
        return call.method.declaration.place();
    }

    boolean isInterruptedByLoss() {
        return request.onLost() == OnLost.INTERRUPT;
    }

    CallThreads threads() {
        return call.method.services.threads;
    }

    CallObservation observed() {
        return observed;
    }

    String lockName() {
        return request.described();
    }

    /** Returns the exception that a method threw, without the wrapper that a stage adds. */
    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wraps && cause != null ? cause : failure;
    }

    /**
     * Returns whether {@code cancel} can stop the work. That of {@link CompletableFuture} only completes the future, also
     * in a subclass that inherits it.
     */
    static boolean stopsAtCancel(Future<?> work) {
        try {
            return work.getClass().getMethod("cancel", boolean.class).getDeclaringClass() != CompletableFuture.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns whether the answer is complete and grants locks that the caller already holds. */
    private boolean reEnters() {
        return answer.isDone() && !answer.isCompletedExceptionally() && around.holdAll(answer.join());
    }

    private Throwable whyNotRun(@Nullable Throwable refusal, Throwable failure) {
        if (refusal != null && request.onBusy() != OnBusy.FALLBACK) {
            return refusal;
        }
        return failure instanceof RejectedExecutionException
                ? new TaskRejectedException(
                        "%s did not run for lock '%s', which is released: '%s' rejected the task. All of its threads"
                                        .formatted(place(), request.described(), CallServices.TASK_EXECUTOR)
                                + " (zk.lock.async.concurrency-limit) are in use, or it is shut down",
                        failure)
                : failure;
    }

    private void releaseUnused(@Nullable Handle handle) {
        if (handle != null) {
            request.releaseUnused(handle);
        }
    }
}
