package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way from threads of users to the engine on its loop. Thread-safe. */
final class EngineAccess {

    private final Engine engine;
    private final Function<? super LockName, LockPolicy> policies;
    private final Loop loop;
    private final Executor losses;
    private final Executor callbacks;

    /** @param policies code of users, asked on their threads */
    EngineAccess(
            Engine engine,
            Function<? super LockName, LockPolicy> policies,
            Loop loop,
            Executor losses,
            Executor callbacks) {
        this.engine = engine;
        this.policies = policies;
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

    /**
     * The policy by which a lock is to be handled: the one in force, or what the user's function says.
     *
     * @throws IllegalStateException if the function fails
     */
    LockPolicy policyOf(LockName name) {
        Optional<LockPolicy> inForce = engine.policyInForce(name);
        if (inForce.isPresent()) {
            return inForce.get();
        }
        try {
            return Objects.requireNonNull(policies.apply(name), "it was given none");
        } catch (RuntimeException failed) {
            throw new IllegalStateException(
                    "Lock '" + name + "' not acquired: its policy could not be told: " + failed.getMessage(), failed);
        }
    }

    /** @param policy as {@link #policyOf} told it */
    void acquire(Claim claim, LockPolicy policy) {
        loop.execute(() -> engine.acquire(claim, policy));
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

    /** Takes the turn from its holders when this time, from now on, is over. */
    void limit(Turn turn, HoldLimit limit, Duration time) {
        long instant = nanoTime() + Nanos.of(time);
        loop.execute(() -> engine.limit(turn, limit, instant, "the limit of " + time + " that was set on it is over"));
    }

    void endLimit(Turn turn, HoldLimit limit) {
        loop.execute(() -> turn.endLimit(limit));
    }

    void runLossAction(LossAction action) {
        losses.execute(action::run);
    }

    /** Where code of users may run. */
    Executor callbacks() {
        return callbacks;
    }

    Claim claim(LockName name, Demand demand, Patience patience, @Nullable Thread owner, Claim.Answer answer) {
        return new Claim(name, demand, patience, owner, engine.time().nanoTime(), answer);
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
