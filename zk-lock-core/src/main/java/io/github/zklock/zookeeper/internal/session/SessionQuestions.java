package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Requests of user threads that are about no seat of this process. Thread-safe. */
@FunctionalInterface
public interface SessionQuestions {

    /** An answer of the servers, with any outcome. */
    record Answer<T>(Outcome outcome, @Nullable T value) {}

    /** Sends a request on the live session, once there is one. */
    <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request);

    /** Sends a request as {@link #send} does. No outcome of an answer makes the future fail. */
    default <T> CompletableFuture<Answer<T>> ask(BiConsumer<PinnedSession, Reply<T>> request) {
        return send((session, done) ->
                request.accept(session, (outcome, value) -> done.accept(Outcome.OK, new Answer<>(outcome, value))));
    }
}
