package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.Registration;
import io.github.zklock.annotation.OnLost;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * One call of a method that returns a stage, from its question for the lock to the end of its work.
 *
 * <pre>
 * waiting -&gt; refused    the result fails, or what stands for it takes its place
 * waiting -&gt; running    granted: the method runs
 * running -&gt; ended      the method threw, or its stage is complete: the lock is given back, then the result completes
 * </pre>
 *
 * Whoever completes the result from outside, by cancel, orTimeout or a value, leaves the queue, or cancels the method's
 * own future; the hold ends with that one, so that its work is never without the lock.
 */
final class FutureCall {

    private final AskedCall asked;
    private final LockedCall call;
    private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

    /** Written before the method's future is cancelled for a loss, and read after that has completed. */
    private volatile boolean cancelledForLoss;

    FutureCall(AskedCall asked) {
        this.asked = asked;
        this.call = asked.call();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what these stages return
    CompletableFuture<@Nullable Object> begin() {
        CompletableFuture<LockHandle> answer = asked.answer();
        if (asked.reEnters()) {
            answer.whenComplete(this::answered);
        } else {
            Map<String, String> log = MDC.getCopyOfContextMap();
            // without effect on an answer that is there
            result.whenComplete((value, failure) -> answer.cancel(false));
            answer.whenComplete((handle, refusal) -> answeredLate(handle, refusal, log));
        }
        return result;
    }

    /**
     * What the registry's thread brings is worked on by one that may block. So is an answer that is there already, lest it
     * hang on a race whether the method is part of its caller's transaction; a call that re-enters is.
     */
    private void answeredLate(
            @Nullable LockHandle handle, @Nullable Throwable refusal, @Nullable Map<String, String> log) {
        try {
            calls().execute(() -> {
                if (log != null) {
                    MDC.setContextMap(log);
                }
                try {
                    answered(handle, refusal);
                } finally {
                    MDC.clear();
                }
            });
        } catch (Throwable noThread) {
            if (handle != null) {
                HeldLock.giveBackUnused(handle);
            }
            asked.observed().refused(noThread);
            result.completeExceptionally(noThread);
        }
    }

    private void answered(@Nullable LockHandle handle, @Nullable Throwable refusal) {
        try {
            if (handle == null) {
                refused(AsyncHold.causeOf(refusal == null ? new CancellationException() : refusal));
            } else if (result.isDone()) {
                HeldLock.giveBackUnused(handle);
                asked.observed().refused(new CancellationException("Abandoned by the caller"));
            } else {
                run(AsyncHold.begin(asked, handle));
            }
        } catch (Throwable failure) {
            result.completeExceptionally(failure);
        }
    }

    private void refused(Throwable reason) throws Throwable {
        asked.observed().refused(reason);
        if (!(reason instanceof LockTimeoutException busy) || result.isDone()) {
            throw reason;
        }
        stageOf(call.busy(busy, asked.request())).whenComplete(this::complete);
    }

    private void run(AsyncHold hold) {
        LossInterrupt interrupt = hold.onLost() == OnLost.INTERRUPT ? LossInterrupt.on(hold.handle()) : null;
        CompletionStage<?> stage;
        try {
            stage = stageOf(hold.run(call));
        } catch (Throwable failure) {
            if (interrupt != null) {
                interrupt.disarm();
            }
            complete(null, hold.end(failure));
            return;
        }
        if (interrupt != null) {
            interrupt.disarm();
        }
        await(stage, hold);
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void await(CompletionStage<?> stage, AsyncHold hold) {
        Registration loss = hold.onLost() == OnLost.INTERRUPT && stage instanceof Future<?> work
                ? hold.handle()
                        .onLost(() -> calls().execute(() -> {
                            cancelledForLoss = true;
                            work.cancel(true);
                        }))
                : () -> {};
        stage.whenComplete((value, failure) -> {
            loss.close();
            Throwable own = cancelledForLoss && failure instanceof CancellationException ? null : failure;
            complete(value, hold.end(own));
        });
        if (stage instanceof Future<?> work) {
            // without effect where it is the stage that has completed the result
            result.whenComplete((value, failure) -> work.cancel(true));
        }
    }

    private CompletionStage<?> stageOf(@Nullable Object returned) {
        if (returned == null) {
            throw new IllegalStateException("%s returned null instead of a CompletionStage; lock '%s' is given back"
                    .formatted(call.method().place(), asked.request().described()));
        }
        return (CompletionStage<?>) returned;
    }

    /** For whatever runs code of users, and must not do so on the threads of the registry. */
    private Executor calls() {
        return call.method().surroundings().calls();
    }

    private void complete(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }
}
