package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.Registration;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.internal.declaration.LockRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Acquires the lock without blocking, and holds it until the stage that the method returns is complete. */
final class FutureMethod extends LockedMethod {

    static boolean fits(Class<?> returnType) {
        return CompletionStage.class.isAssignableFrom(returnType)
                && returnType.isAssignableFrom(CompletableFuture.class);
    }

    FutureMethod(Declaration declaration, CallServices services, Class<?> returnType) {
        super(declaration, services, returnType);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the caller receives this future
    public @Nullable Object invoke(MethodInvocation invocation) {
        LockedCall call = new LockedCall(this, invocation);
        LockRequest request;
        try {
            request = declaration.request(invocation);
        } catch (IllegalArgumentException unnamed) {
            return CompletableFuture.failedFuture(unnamed);
        }
        return new FutureCall(AsyncCall.ask(call, request, key -> null, services.transactions.get())).begin();
    }

    /**
     * One call and its result.
     *
     * <pre>
     * waiting -&gt; refused    the result fails, or takes the value for a busy lock
     * waiting -&gt; running    granted: the method runs
     * running -&gt; ended      the method threw, or its stage is complete: the lock is released, then the result completes
     * </pre>
     *
     * <p>The caller can complete the result by cancel, orTimeout or a value. A waiting call then leaves the queue. A
     * running call cancels the method's own future if that can stop the work; a CompletableFuture that inherits its
     * cancel would complete although its work continues. The hold ends with the method's own future, so that the work always runs under the
     * lock.
     */
    private static final class FutureCall {

        private final AsyncCall call;
        private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        private final AtomicBoolean ended = new AtomicBoolean();

        /**
         * Happens-before: written before a loss cancels the method's future, and read after that future has completed.
         */
        private volatile boolean cancelledForLoss;

        FutureCall(AsyncCall call) {
            this.call = call;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // no step depends on the returned stage
        CompletableFuture<@Nullable Object> begin() {
            result.whenComplete((value, failure) -> call.abandon());
            call.whenAnswered(this::answered);
            return result;
        }

        private void answered(@Nullable Handle handle, @Nullable Throwable refusal) {
            try {
                if (handle == null) {
                    refused(AsyncCall.causeOf(refusal == null ? new CancellationException() : refusal));
                } else if (result.isDone()) {
                    call.abandoned(handle, new CancellationException("Abandoned by the caller"));
                } else {
                    run(call.begin(handle, TransactionTie.NONE));
                }
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored")
        private void refused(Throwable reason) throws Throwable {
            if (result.isDone()) {
                call.abandoned(null, reason);
            } else {
                stageOf(call.refused(reason)).whenComplete(this::complete);
            }
        }

        private void run(Handle handle) {
            LossInterrupt interrupt = call.isInterruptedByLoss() ? LossInterrupt.on(handle) : null;
            CompletionStage<?> stage;
            try {
                stage = stageOf(call.run(handle));
            } catch (Throwable failure) {
                disarm(interrupt);
                end(null, failure);
                return;
            }
            disarm(interrupt);
            try {
                await(stage, handle);
            } catch (Throwable failure) {
                // the method's own stage rejects observers
                end(null, failure);
            }
        }

        private static void disarm(@Nullable LossInterrupt interrupt) {
            if (interrupt != null) {
                interrupt.disarm();
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored")
        private void await(CompletionStage<?> stage, Handle handle) {
            Registration loss = call.isInterruptedByLoss() && stage instanceof Future<?> work
                    ? handle.onLost(() -> call.threads().executeAfterLoss(() -> {
                        cancelledForLoss = true;
                        work.cancel(true);
                    }))
                    : () -> {};
            stage.whenComplete((value, failure) -> {
                loss.close();
                end(value, cancelledForLoss && failure instanceof CancellationException ? null : failure);
            });
            if (stage instanceof Future<?> work && AsyncCall.stopsAtCancel(work)) {
                // no effect if this stage has completed the result
                result.whenComplete((value, failure) -> work.cancel(true));
            }
        }

        private CompletionStage<?> stageOf(@Nullable Object returned) {
            if (returned == null) {
                throw new IllegalStateException("%s returned null instead of a CompletionStage; lock '%s' is released"
                        .formatted(call.place(), call.lockName()));
            }
            return (CompletionStage<?>) returned;
        }

        private void end(@Nullable Object value, @Nullable Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                complete(value, call.end(failure, TransactionTie.NONE));
            }
        }

        private void complete(@Nullable Object value, @Nullable Throwable failure) {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }
    }
}
