package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that has asked for its lock and waits for the answer without a thread.
 *
 * @param around the holds that were open around the asker
 */
record AskedCall(
        LockedCall call,
        LockRequest request,
        CallObserver.Observed observed,
        Enclosing around,
        CompletableFuture<LockHandle> answer) {

    /** Asks on behalf of the current thread, whose open scopes are re-entered. Everything that goes wrong is an answer. */
    static AskedCall ask(
            LockedCall call,
            LockRequest request,
            Function<Object, @Nullable Object> carried,
            TransactionTie transactions) {
        CallObserver.Observed observed = CallObserver.Observed.NOTHING;
        CompletableFuture<LockHandle> answer;
        try {
            transactions.beforeAcquire(request.names());
            observed = call.observe(request, carried);
            answer = request.lock().acquireAsync(request.waitTime());
        } catch (RuntimeException | Error refused) {
            answer = CompletableFuture.failedFuture(refused);
        }
        return new AskedCall(call, request, observed, Enclosing.ofThread(), answer);
    }

    LockedMethod method() {
        return call.method();
    }

    /** Whether the answer is there and grants what the asker has already. */
    boolean reEnters() {
        return answer.isDone() && !answer.isCompletedExceptionally() && around.holdAll(answer.join());
    }
}
