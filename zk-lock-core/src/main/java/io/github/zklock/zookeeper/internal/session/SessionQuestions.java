package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Requests of user threads that are about no seat of this process. Thread-safe. */
@FunctionalInterface
public interface SessionQuestions {

    /** Sends a request on the live session, once there is one. */
    <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request);
}
