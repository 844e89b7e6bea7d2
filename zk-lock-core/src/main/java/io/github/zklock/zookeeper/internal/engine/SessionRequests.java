package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.session.Enquiries;
import io.github.zklock.zookeeper.internal.session.LostRequestException;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.RefusedRequestException;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Requests of user threads that are about no seat of this process. Thread-safe. */
final class SessionRequests {

    private final EngineAccess engine;

    SessionRequests(EngineAccess engine) {
        this.engine = engine;
    }

    /**
     * Sends a request on the live session, once there is one. The future completes on the loop. It fails if the outcome
     * is unknown, with a {@link SecurityException} if access is denied, and with a {@link LostRequestException} if the
     * engine was replaced before the answer.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the result of the stage is not used
    <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> question) {
        CompletableFuture<T> future = new CompletableFuture<>();
        Pending<T> pending = new Pending<>(question, future);
        engine.add(pending);
        future.whenComplete((value, failure) -> engine.remove(pending));
        engine.ask(asked -> {
                    pending.begun = true;
                    asked.enquiries().ask(pending);
                    return true;
                })
                .exceptionally(
                        failure -> future.completeExceptionally(new LostRequestException(String.valueOf(failure))));
        return future;
    }

    private static <T> void answer(CompletableFuture<T> future, Outcome outcome, T value) {
        if (outcome == Outcome.ACCESS_DENIED) {
            future.completeExceptionally(new SecurityException(
                    "an access list of its folder, or of a node in it, forbids it to this client; authenticate it as one"
                            + " that may read and delete there"));
        } else if (outcome.isUnknown() || outcome == Outcome.REFUSED || outcome == Outcome.NOT_SENT) {
            future.completeExceptionally(new IllegalStateException("ZooKeeper answered " + outcome));
        } else {
            future.complete(value);
        }
    }

    /** A request whose answer has not arrived. */
    static final class Pending<T> implements Enquiries.Question {

        private final BiConsumer<PinnedSession, BiConsumer<Outcome, T>> question;
        private final CompletableFuture<T> future;
        /** Whether an engine has received the request. Owned by the loop. */
        private boolean begun;

        Pending(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> question, CompletableFuture<T> future) {
            this.question = question;
            this.future = future;
        }

        @Override
        public void askOn(PinnedSession session) {
            question.accept(session, (outcome, value) -> answer(future, outcome, value));
        }

        @Override
        public void cannotBeAsked(Refusal why) {
            future.completeExceptionally(
                    why.reason() == Refusal.Reason.DENIED
                            ? new SecurityException(why.message(), why.cause())
                            : new RefusedRequestException(why));
        }

        /** Ends the wait for the answer of an engine that was replaced. The next engine may receive the request yet. */
        void engineFailed(String reason) {
            if (begun) {
                future.completeExceptionally(new LostRequestException(reason));
            }
        }
    }
}
