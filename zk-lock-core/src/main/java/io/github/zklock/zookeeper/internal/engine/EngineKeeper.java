package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the running engine. If a task of the engine throws, the state of the engine is unknown. Then a new engine
 * starts as if the process had started again: each lock that is held is lost, each request that waits is rejected, and
 * the new engine deletes the nodes of the previous one. (L26)
 *
 * <p>All methods are called on the loop unless their Javadoc states otherwise.
 */
final class EngineKeeper {

    /** The factory of engines. */
    interface Maker {
        /**
         * Creates an engine that is not started yet.
         *
         * @param run runs all calls back to the engine
         * @param successor whether the session may have nodes of a previous engine
         */
        Engine make(EngineRun run, boolean successor);
    }

    /**
     * The number of requests that may wait for their answers at once. More of them would cost the process its memory, and
     * with it the locks that it holds.
     */
    static final int MOST_CLAIMS = 131_072;

    private static final String LOSS = "the lock engine failed and was replaced";

    private final Loop loop;
    private final Maker maker;
    private final Consumer<Throwable> failures;
    private final OpenClaims claims = new OpenClaims();
    /** The turns whose release a caller waits for. Used by any thread. */
    private final Map<Turn, Executor> awaited = new ConcurrentHashMap<>();
    /** The requests about no seat whose answers have not arrived. Used by any thread. */
    private final Set<SessionRequests.Pending<?>> requests = ConcurrentHashMap.newKeySet();

    private EngineRun run;
    private volatile Engine engine;

    /** The steps of the registry's shutdown so far, which a new engine has to repeat. */
    private Consumer<Engine> ending = kept -> {};

    /**
     * @param relief runs tasks of the loop that are too many for their caller
     * @param failures receives, on the loop, the failure that made a new engine necessary
     */
    EngineKeeper(Executor relief, Maker maker, Consumer<Throwable> failures) {
        this.loop = new Loop(relief, this::recover);
        this.maker = maker;
        this.failures = failures;
        this.run = newRun();
        this.engine = maker.make(run, false);
    }

    /** Returns the loop on which everything here runs. Any thread. */
    Loop loop() {
        return loop;
    }

    /** Returns the present engine. Any thread. */
    Engine engine() {
        return engine;
    }

    void start() {
        engine.start();
    }

    /** Passes the claim to the engine, unless too many wait. */
    void ask(Claim claim) {
        boolean isOneTooMany = claims.size() >= MOST_CLAIMS;
        claims.add(claim);
        if (isOneTooMany) {
            claim.refuse(Refusal.of(
                            Reason.UNAVAILABLE,
                            MOST_CLAIMS
                                    + " requests for locks of this registry are not answered yet, and it takes no more;"
                                    + " limit the number of callers or of asynchronous requests")
                    .about(claim.name()));
            return;
        }
        if (claim.own() == null) {
            engine.acquire(claim);
        } else {
            engine.reenter(claim);
        }
    }

    private void ask(Claim claim, List<Claim> behind) {
        if (behind.isEmpty()) {
            ask(claim);
        } else {
            engine.together(() -> {
                ask(claim);
                behind.forEach(this::ask);
            });
        }
    }

    /** Lists a request, which learns if the engine fails before its answer arrives. Any thread. */
    void add(SessionRequests.Pending<?> request) {
        requests.add(request);
    }

    /** Removes a request that needs no answer any more. */
    void remove(SessionRequests.Pending<?> request) {
        requests.remove(request);
        engine.enquiries().forget(request);
    }

    /** Withdraws a claim whose caller has cancelled the request. */
    void cancel(Claim claim) {
        claim.abandoned = true;
        engine.cancel(claim);
    }

    /** Runs a step of the registry's shutdown with the present engine, and with each later one. */
    void end(Consumer<Engine> step) {
        Consumer<Engine> before = ending;
        ending = asked -> {
            before.accept(asked);
            step.accept(asked);
        };
        step.accept(engine);
    }

    /**
     * Returns a stage that completes as {@link Turn#released} does. Each caller has a stage of its own, so that its
     * dependents do not hold up those of others. Any thread.
     *
     * @param callbacks completes the stage
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the result of whenComplete is not used
    CompletionStage<Void> released(Turn turn, Executor callbacks) {
        CompletionStage<Void> released = turn.released();
        awaited.put(turn, callbacks);
        released.whenComplete((seen, unseen) -> awaited.remove(turn));
        if (turn.seat().session().isForsaken()) {
            turn.failReleased(callbacks);
        }
        return turn.isReleaseKnown() ? released : released.whenCompleteAsync((seen, unseen) -> {}, callbacks);
    }

    /**
     * Checks the engine. Throws if it cannot continue: the loop then calls {@link #recover}. Repairs what an Error has
     * interrupted outside of the engine's tasks: on a caller's thread, or on the way to the loop. Called each {@link
     * Threads#LOOK_NANOS}.
     */
    void look() {
        if (!loop.isBehind()) {
            // what is late is not lost: only what is missing when nothing waits any more
            String trouble = engine.trouble(Threads.LOOK_NANOS);
            if (!trouble.isEmpty()) {
                throw new IllegalStateException(trouble);
            }
        }
        engine.finishReleases();
        claims.forEach(claim -> {
            if (claim.abandoned) {
                engine.cancel(claim);
            } else if (claim.isUntold()) {
                claim.tellAgain();
            }
        });
    }

    private EngineRun newRun() {
        return new EngineRun(loop.lanes());
    }

    /** Replaces the engine. If this method fails, it can be called again. */
    private void recover(@Nullable Runnable failed, Throwable error) {
        run.end();
        failures.accept(error);
        engine.forsake(LOSS);
        EngineRun next = newRun();
        Engine fresh = maker.make(next, true);
        run = next;
        engine = fresh;
        fresh.start();
        ending.accept(fresh);
        awaited.forEach((turn, callbacks) -> {
            if (turn.seat().session().isForsaken()) {
                turn.failReleased(callbacks);
            }
        });
        requests.forEach(request -> request.engineFailed(LOSS));
        if (failed instanceof Request request) {
            request.failed(error);
        }
        claims.forEach(claim -> {
            if (claim.abandoned) {
                claim.withdraw();
            } else if (claim.isOpen() || claim.isUntold()) {
                claim.refuseAfterFailure(LOSS);
            }
        });
    }

    /** A task of the loop whose caller waits for its outcome. */
    abstract static class Request implements Runnable {
        /** Called if the engine failed during this task. Runs on the loop, perhaps more than once. */
        abstract void failed(Throwable error);
    }

    /**
     * Returns the task that passes the claim to the engine.
     *
     * @param behind the claims of further locks in the same request
     */
    Request asking(Claim claim, List<Claim> behind) {
        return new Request() {
            @Override
            public void run() {
                ask(claim, behind);
            }

            @Override
            void failed(Throwable error) {
                refuse(claim, error);
                behind.forEach(each -> refuse(each, error));
            }
        };
    }

    private void refuse(Claim claim, Throwable error) {
        claims.add(claim);
        if (claim.isOpen()) {
            claim.refuse(Refusal.failure(error).about(claim.name()));
        }
    }
}
