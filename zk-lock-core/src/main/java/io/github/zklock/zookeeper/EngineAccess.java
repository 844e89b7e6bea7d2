package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way from threads of users to the engine on its loop. Thread-safe. */
final class EngineAccess {

    private final Engine engine;
    private final Loop loop;
    private final Executor losses;
    private final Executor callbacks;

    EngineAccess(Engine engine, Loop loop, Executor losses, Executor callbacks) {
        this.engine = engine;
        this.loop = loop;
        this.losses = losses;
        this.callbacks = callbacks;
    }

    Settings settings() {
        return engine.settings();
    }

    long nanoTime() {
        return engine.time().nanoTime();
    }

    void acquire(Claim claim) {
        loop.execute(() -> engine.acquire(claim));
    }

    void reenter(Claim claim, Turn own) {
        loop.execute(() -> engine.reenter(claim, own));
    }

    void cancel(Claim claim) {
        loop.execute(() -> engine.cancel(claim));
    }

    void release(Turn turn) {
        loop.execute(() -> engine.release(turn));
    }

    void runLossAction(LossAction action) {
        losses.execute(action::run);
    }

    /** Where code of users may run. */
    Executor callbacks() {
        return callbacks;
    }

    Claim claim(LockName name, Demand demand, Patience patience, @Nullable Thread owner, Claim.Answer answer) {
        Thread asker = Thread.currentThread();
        // virtual threads have no name of their own
        String waiter = asker.getName().isEmpty() ? asker.toString() : asker.getName();
        return new Claim(name, demand, patience, waiter, owner, engine.time().nanoTime(), answer);
    }

    /** Has the engine do something, on the loop. */
    void run(Consumer<Engine> action) {
        loop.execute(() -> action.accept(engine));
    }

    /** Asks the engine, on the loop. */
    <T> CompletableFuture<T> ask(Function<Engine, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                answer.complete(question.apply(engine));
            } catch (Throwable failed) {
                answer.completeExceptionally(failed);
            }
        });
        return answer;
    }
}
