package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockOrderException;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OnClose;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockWatch;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.HoldLimit;
import io.github.zklock.zookeeper.internal.local.LossAction;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.order.NestedOrder;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Steps;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.AccessLists;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The access of user threads to the engine on its loop. Thread-safe. */
final class EngineAccess {

    private final EngineKeeper keeper;
    private final Loop loop;
    private final Function<? super LockName, LockPolicy> policies;
    private final @Nullable AccessLists accessLists;
    private final Executor losses;
    private final Executor callbacks;
    private final BooleanSupplier hasNoCallbackThread;
    private final Steps steps;
    private final LimitedCalls functions;
    private final @Nullable NestedOrder order;
    private @Nullable DeadlockWatch deadlocks;
    private final Runnable look;
    private volatile boolean lookUnderWay;

    /**
     * @param policies code of users, which runs on their threads, unless it is {@link EngineRegistry.SamePolicy}
     * @param accessLists code of users, which runs on their threads; null if there is none
     * @param hasNoCallbackThread whether further tasks of {@code callbacks} wait for code of users that blocks
     * @param order null if the order of nested requests is not observed
     */
    EngineAccess(
            EngineKeeper keeper,
            Function<? super LockName, LockPolicy> policies,
            @Nullable AccessLists accessLists,
            Executor losses,
            Executor callbacks,
            BooleanSupplier hasNoCallbackThread,
            Steps steps,
            @Nullable NestedOrder order) {
        this.keeper = keeper;
        this.loop = keeper.loop();
        this.policies = policies;
        this.accessLists = accessLists;
        this.losses = losses;
        this.callbacks = callbacks;
        this.hasNoCallbackThread = hasNoCallbackThread;
        this.steps = steps;
        this.functions = new LimitedCalls(steps, callbacks, this::nanoTime);
        this.order = order;
        this.look = () -> {
            lookUnderWay = false;
            keeper.look();
        };
    }

    Settings settings() {
        return keeper.engine().settings();
    }

    long nanoTime() {
        return keeper.engine().time().nanoTime();
    }

    long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(keeper.engine().time().wallNanos());
    }

    /**
     * Returns the policy of a lock: the policy that applies now, or the result of the user's function.
     *
     * @param limit of the time for the user's functions; null for no limit
     * @throws IllegalStateException if the function fails, or the function for access lists
     */
    LockPolicy policyOf(LockName name, @Nullable Duration limit) {
        learnAccessLists(name, limit);
        Optional<LockPolicy> inForce = keeper.engine().policyInForce(name);
        if (inForce.isPresent()) {
            return inForce.get();
        }
        if (policies instanceof EngineRegistry.SamePolicy same) {
            return same.policy();
        }
        try {
            return functions.get(
                    limit, () -> Objects.requireNonNull(policies.apply(name), "the policy function returned null"));
        } catch (RuntimeException failed) {
            throw new IllegalStateException(
                    "Lock '" + name + "' not acquired: its policy could not be determined: " + failed.getMessage(),
                    failed);
        }
    }

    /**
     * Asks the user's function for the access lists of a lock and of records, unless they are known.
     *
     * @param limit of the time for that function; null for no limit
     * @throws IllegalStateException if the function fails
     */
    void learnAccessLists(LockName name, @Nullable Duration limit) {
        AccessLists lists = accessLists;
        if (lists == null) {
            return;
        }
        String folder = LockFolder.of(settings().basePath(), name);
        try {
            if (!lists.areKnown(folder)) {
                functions.get(limit, () -> {
                    lists.ask(folder);
                    return Boolean.TRUE;
                });
            }
        } catch (RuntimeException failed) {
            throw new IllegalStateException("Lock '" + name + "' not acquired: " + failed.getMessage(), failed);
        }
    }

    /**
     * Checks the order of a request that the current thread may wait for.
     *
     * @throws LockOrderException if it contradicts an earlier one
     */
    void checkOrder(LockName wanted) {
        if (order == null) {
            return;
        }
        for (LockHandle held : LockContext.current()) {
            // a scope may outlive its lock
            if (isOwn(held) && !held.state().isFinal()) {
                order.check(held.name(), wanted);
            }
        }
    }

    /** Returns whether the handle may belong to this registry. */
    boolean isOwn(LockHandle held) {
        return !(held instanceof EngineHandle handle) || handle.isOf(this);
    }

    /** Called once, before the first request, unless deadlocks are ignored. */
    void setDeadlocks(DeadlockWatch watch) {
        deadlocks = watch;
    }

    /**
     * Begins a wait of the current thread.
     *
     * @return ends the wait; null if it cannot be part of a deadlock
     */
    @Nullable Runnable beginWait(Claim claim) {
        DeadlockWatch watch = deadlocks;
        if (watch == null) {
            return null;
        }
        List<LockHandle> scopes = LockContext.current();
        return scopes.isEmpty() ? null : beginWait(watch, claim, scopes);
    }

    private @Nullable Runnable beginWait(DeadlockWatch watch, Claim claim, List<LockHandle> scopes) {
        List<Turn> held = new ArrayList<>(scopes.size());
        for (LockHandle scope : scopes) {
            if (scope instanceof EngineHandle handle && handle.isOf(this)) {
                held.add(handle.turn());
            }
        }
        return held.isEmpty() ? null : watch.begin(claim, held);
    }

    /** Ends the wait of a claim with this refusal. Returns whether it was not answered yet. */
    CompletableFuture<Boolean> reject(Claim claim, Refusal refusal) {
        return ask(asked -> asked.reject(claim, refusal));
    }

    /**
     * Requests a lock.
     *
     * @param behind claims of further locks, which are granted only if they are free; each has its policy of {@link
     *     #policyOf}
     */
    void acquire(Claim claim, List<Claim> behind) {
        loop.pace();
        loop.execute(keeper.asking(claim, behind));
    }

    void reenter(Claim claim, Turn own) {
        loop.pace();
        claim.setReentryOf(own);
        loop.execute(keeper.asking(claim, List.of()));
    }

    /** Withdraws the claim. If this call fails, {@link #look} withdraws it. */
    void cancel(Claim claim) {
        claim.abandoned = true;
        loop.execute(() -> keeper.cancel(claim));
    }

    /** Releases a turn whose state is RELEASED. If this call fails, {@link #look} releases it. */
    void release(Turn turn) {
        loop.execute(() -> keeper.engine().release(turn));
    }

    /** Releases a turn as {@link #release(Turn)} does, for a caller that has checked its stack. */
    void releaseUnchecked(Turn turn) {
        loop.executeUnchecked(() -> keeper.engine().release(turn));
    }

    /** Releases each turn as {@link #release(Turn)} does, in one request to the servers where possible. */
    void release(List<Turn> turns) {
        loop.execute(() -> {
            Engine asked = keeper.engine();
            asked.together(() -> turns.forEach(asked::release));
        });
    }

    /** Returns the stage of {@link Turn#released}, which completes also if the turn's engine was replaced. */
    CompletionStage<Void> released(Turn turn) {
        return keeper.released(turn, callbacks);
    }

    /** Takes the turn from its holders when this time from now is over. */
    void limit(Turn turn, HoldLimit limit, Duration time) {
        long instant = nanoTime() + Nanos.of(time);
        run(engine -> engine.limit(turn, limit, instant, "its time limit of " + Words.of(time) + " is over"));
    }

    void endLimit(Turn turn, HoldLimit limit) {
        loop.execute(() -> turn.endLimit(limit));
    }

    void runLossAction(LossAction action) {
        losses.execute(action::run);
    }

    /** Returns the executor for code of users. */
    Executor callbacks() {
        return callbacks;
    }

    /** Returns the executor for steps of the library. */
    Steps steps() {
        return steps;
    }

    /**
     * Checks that a future which completes on this executor does not wait for code of users that blocks.
     *
     * @throws LockUnavailableException if it does
     */
    void refuseWithoutCallbackThread(LockName name, Executor answers) {
        if (answers == callbacks && hasNoCallbackThread.getAsBoolean()) {
            throw new LockUnavailableException(
                    name,
                    "Lock '" + name + "' not requested: stages of futures and listeners of this registry block all "
                            + Threads.MOST_CALLBACKS + " threads for them, so that no future can be completed. Do not"
                            + " block in stages and listeners, or run them on an executor of your own",
                    null);
        }
    }

    Claim claim(LockName name, Demand demand, Patience patience, @Nullable Thread owner, Claim.Answer answer) {
        return new Claim(name, demand, patience, owner, nanoTime(), answer);
    }

    /** Ends the search for deadlocks, while the session can still be asked. */
    void endDeadlocks() {
        if (deadlocks != null) {
            deadlocks.end();
        }
    }

    /** Calls {@link Engine#drain} of the present engine. */
    void drain(Runnable whenFree) {
        end(asked -> asked.drain(whenFree));
    }

    /** Calls {@link Engine#close} of the present engine. */
    void close(OnClose held, Runnable whenRemoved, Runnable whenQuiet, Runnable whenOver) {
        end(asked -> asked.close(held, whenRemoved, whenQuiet, whenOver));
    }

    /**
     * Calls {@link Engine#shutDown} of the present engine, and then runs this action on the loop, perhaps more than
     * once.
     */
    void shutDown(Runnable afterwards) {
        end(asked -> {
            asked.shutDown();
            afterwards.run();
        });
    }

    /** Runs a step of the shutdown. Repeats it if an Error interrupted it. */
    private void end(Consumer<Engine> step) {
        loop.execute(new EngineKeeper.Request() {
            @Override
            public void run() {
                keeper.end(step);
            }

            @Override
            void failed(Throwable error) {
                keeper.end(step);
            }
        });
    }

    /**
     * Calls {@link EngineKeeper#look}, unless the previous call is still waiting: otherwise many calls would run at
     * once.
     */
    void look() {
        if (!lookUnderWay) {
            lookUnderWay = true;
            boolean sent = false;
            try {
                loop.execute(look);
                sent = true;
            } finally {
                if (!sent) {
                    lookUnderWay = false;
                }
            }
        }
    }

    /** Lists a request, which learns if the engine fails before its answer arrives. */
    void add(SessionRequests.Pending<?> request) {
        keeper.add(request);
    }

    /** Removes a request that needs no answer any more. */
    void remove(SessionRequests.Pending<?> request) {
        loop.execute(() -> keeper.remove(request));
    }

    /** Runs the action with the engine, on the loop. */
    void run(Consumer<Engine> action) {
        loop.execute(() -> action.accept(keeper.engine()));
    }

    /** Returns the result of a function of the engine, which runs on the loop. */
    <T> CompletableFuture<T> ask(Function<Engine, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(new EngineKeeper.Request() {
            @Override
            public void run() {
                answer.complete(question.apply(keeper.engine()));
            }

            @Override
            void failed(Throwable error) {
                answer.completeExceptionally(error);
            }
        });
        return answer;
    }
}
