package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.function.Consumer;

/**
 * Brings an exception in the handling of an answer to whoever cleans up after it: otherwise a node and those who wait for it
 * would be left behind. (L19)
 */
final class Guard {

    private final Consumer<Throwable> cleaner;

    Guard(Consumer<Throwable> cleaner) {
        this.cleaner = cleaner;
    }

    <T> Reply<T> of(Reply<T> reply) {
        return (outcome, value) -> run(() -> reply.answered(outcome, value));
    }

    void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException error) {
            cleaner.accept(error);
        }
    }
}
