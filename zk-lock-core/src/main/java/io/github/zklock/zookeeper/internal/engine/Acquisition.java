package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.Acquirable;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockOrderException;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The ways to acquire one lock: for a thread or as a future, with or without a limit of the wait, as a new hold or as a
 * further hold of what the thread owns.
 */
class Acquisition implements Acquirable<LockHandle> {

    private static final Behind NOTHING_BEHIND = first -> List.of();

    final EngineAccess engine;
    final LockName name;
    final Demand demand;
    private final UnaryOperator<LockPolicy> change;
    /** The policy of a prepared request; null if each request determines its own. */
    private final @Nullable LockPolicy prepared;

    private final ThreadScopes scopes;

    Acquisition(EngineAccess engine, LockName name, Demand demand) {
        this(engine, name, demand, policy -> policy);
    }

    /** @param change returns the policy of this lock, from the policy that its name has */
    Acquisition(EngineAccess engine, LockName name, Demand demand, UnaryOperator<LockPolicy> change) {
        this(engine, name, demand, change, null);
    }

    private Acquisition(
            EngineAccess engine,
            LockName name,
            Demand demand,
            UnaryOperator<LockPolicy> change,
            @Nullable LockPolicy prepared) {
        this.engine = engine;
        this.name = name;
        this.demand = demand;
        this.change = change;
        this.prepared = prepared;
        this.scopes = new ThreadScopes(engine, name, demand.kind());
    }

    /**
     * Calls the user's functions that a request for a new hold needs. Requests of the result call no code of users.
     *
     * @param limit of the time for these functions; null for no limit
     * @throws IllegalStateException if a function fails
     */
    Acquisition prepared(@Nullable Duration limit) {
        return new Acquisition(engine, name, demand, change, policyFor(null, limit));
    }

    /** Returns the latest hold that a method of {@code Lock} acquired on this thread. */
    @Nullable EngineHandle latestLocked() {
        return scopes.latestLocked();
    }

    @Override
    public LockHandle acquire() throws InterruptedException {
        return interruptibly(Patience.forever());
    }

    @Override
    public LockHandle acquire(Duration maxWait) throws InterruptedException {
        return interruptibly(atMost(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryInterruptibly(onlyAsking());
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryInterruptibly(atMost(maxWait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return async(Patience.forever());
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return async(atMost(maxWait));
    }

    EngineHandle interruptibly(Patience patience) throws InterruptedException {
        refuseInterrupted();
        return acquire(patience, Waiter::await, NOTHING_BEHIND);
    }

    EngineHandle uninterruptibly(Patience patience) {
        return acquire(patience, Waiter::awaitUninterruptibly, NOTHING_BEHIND);
    }

    /** Acquires this lock as {@link #interruptibly} does, and then the other locks up to the first that is not free. */
    List<LockHandle> interruptiblyWith(List<Acquisition> others, Patience patience) throws InterruptedException {
        refuseInterrupted();
        Companions companions = new Companions(engine);
        Behind behind = first -> {
            Thread thread = Thread.currentThread();
            List<Claim> claims = claimsBehind(first, others, patience, thread, lock -> companions.next());
            companions.setClaims(claims);
            return claims;
        };
        boolean taken = false;
        EngineHandle first = null;
        try {
            first = acquire(patience, Waiter::await, behind);
            List<LockHandle> all = companions.awaitBehind(first);
            taken = true;
            return all;
        } finally {
            if (!taken) {
                Claim[] claims = companions.claims;
                for (int i = 0; i < claims.length; i++) {
                    claims[i].abandoned = true;
                }
                try {
                    companions.leave();
                } finally {
                    if (first != null) {
                        first.drop();
                    }
                }
            }
        }
    }

    private void refuseInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before the request for lock '" + name + "'");
        }
    }

    /** Returns an empty result if others hold the lock. */
    Optional<LockHandle> tryInterruptibly(Patience patience) throws InterruptedException {
        try {
            EngineHandle handle = interruptibly(patience);
            return kept(handle, () -> Optional.of(handle));
        } catch (LockTimeoutException busy) {
            return Optional.empty();
        }
    }

    CompletableFuture<LockHandle> async(Patience patience) {
        return async(patience, engine.callbacks());
    }

    /** @param answers completes the future: an executor for code of users, unless the future has no stages of users */
    CompletableFuture<LockHandle> async(Patience patience, Executor answers) {
        return async(List.of(), patience, handles -> handles.get(0), answers);
    }

    /** Acquires the locks as {@link #interruptiblyWith} does, without blocking a thread. */
    CompletableFuture<List<LockHandle>> asyncWith(List<Acquisition> others, Patience patience) {
        return async(others, patience, handles -> handles, engine.callbacks());
    }

    private <T> CompletableFuture<T> async(
            List<Acquisition> others, Patience patience, Function<List<LockHandle>, T> result, Executor answers) {
        EngineHandle own;
        LockPolicy policy;
        try {
            own = scopes.own();
            EngineHandle again = scopes.again(own);
            if (again != null) {
                return kept(again, () -> CompletableFuture.completedFuture(result.apply(List.of(again))));
            }
            checkOrder(own, patience);
            engine.refuseWithoutCallbackThread(name, answers);
            policy = policyFor(own, patience.limit());
        } catch (LockLostException | LockOrderException | LockUnavailableException | IllegalStateException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        FutureAnswer<T> answer = new FutureAnswer<>(engine, own, result, answers);
        Claim first = engine.claim(name, demand, patience, null, answer.next(name));
        List<Claim> behind =
                own == null ? claimsBehind(first, others, patience, null, lock -> answer.next(lock.name)) : List.of();
        Claim[] all = new Claim[behind.size() + 1];
        all[0] = first;
        for (int i = 1; i < all.length; i++) {
            all[i] = behind.get(i - 1);
        }
        boolean sent = false;
        try {
            answer.setClaims(all);
            send(first, own, policy, behind);
            sent = true;
            return answer.future();
        } finally {
            // the claims may have been sent although the caller has no future
            if (!sent) {
                for (int i = 0; i < all.length; i++) {
                    all[i].abandoned = true;
                }
            }
        }
    }

    /**
     * Creates claims that are granted only at once, each behind the one before it. The first lock that cannot be
     * requested ends them.
     */
    private List<Claim> claimsBehind(
            Claim first,
            List<Acquisition> others,
            Patience patience,
            @Nullable Thread thread,
            Function<Acquisition, Claim.Answer> answers) {
        // an answer is awaited for at most the connection timeout, and for at most the caller's wait
        Duration limit = patience.limit();
        Duration connection = engine.settings().connectionTimeout();
        Patience atOnce = Patience.onlyAsking(limit == null || limit.compareTo(connection) > 0 ? connection : limit);
        List<Claim> claims = new ArrayList<>(others.size());
        Claim before = first;
        for (Acquisition lock : others) {
            LockPolicy policy;
            try {
                if (lock.scopes.own() != null) {
                    break;
                }
                policy = lock.policyFor(null, limit);
            } catch (LockLostException | IllegalStateException refused) {
                // the caller gets this exception when it requests the lock alone
                break;
            }
            Claim claim = engine.claim(lock.name, lock.demand, atOnce, thread, answers.apply(lock));
            claim.setPolicy(policy);
            claim.setBehind(before);
            claims.add(claim);
            before = claim;
        }
        return claims;
    }

    /** Returns a wait with this limit; with zero, the caller only asks. */
    Patience atMost(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("Lock '" + name + "': the wait " + Words.of(maxWait)
                    + " is negative; use zero not to wait, or a method without a maximum wait");
        }
        return Patience.atMost(maxWait, engine.settings().connectionTimeout());
    }

    Patience onlyAsking() {
        return Patience.onlyAsking(engine.settings().connectionTimeout());
    }

    private <E extends Exception> EngineHandle acquire(Patience patience, Wait<E> wait, Behind behind) throws E {
        EngineHandle own = scopes.own();
        EngineHandle again = scopes.again(own);
        if (again != null) {
            return again;
        }
        checkOrder(own, patience);
        Waiter waiter = new Waiter();
        Claim claim = engine.claim(name, demand, patience, Thread.currentThread(), waiter);
        LockPolicy policy = policyFor(own, patience.limit());
        boolean answered = false;
        Runnable nested = null;
        try {
            send(claim, own, policy, own == null ? behind.claimsBehind(claim) : List.of());
            if (own == null && !waiter.isAnswered() && patience.waitsForHolders()) {
                nested = engine.beginWait(claim);
            }
            Object answer = wait.until(waiter);
            answered = answer instanceof Refusal;
            EngineHandle handle = EngineHandle.of(Waiter.turnOf(answer, name), own, engine);
            answered = true;
            waiter.taken = true;
            return handle;
        } finally {
            if (!answered) {
                // interrupted or failed: if a turn is granted, no caller would release it
                claim.abandoned = true;
                engine.cancel(claim);
            }
            if (nested != null) {
                nested.run();
            }
        }
    }

    /**
     * Returns the wrapped handle. If that fails, drops the hold: a handle that the caller does not receive would never
     * be closed.
     */
    private static <T> T kept(EngineHandle handle, Supplier<T> wrapped) {
        try {
            return wrapped.get();
        } catch (Throwable error) {
            handle.drop();
            throw error;
        }
    }

    /** A request that does not wait for holders cannot be part of a deadlock. */
    private void checkOrder(@Nullable EngineHandle own, Patience patience) {
        if (own == null && patience.waitsForHolders()) {
            engine.checkOrder(name);
        }
    }

    /** @param limit of the time for the user's functions; null for no limit */
    private LockPolicy policyFor(@Nullable EngineHandle own, @Nullable Duration limit) {
        if (own != null) {
            return own.turn().policy();
        }
        return prepared == null ? change.apply(engine.policyOf(name, limit)) : prepared;
    }

    private void send(Claim claim, @Nullable EngineHandle own, LockPolicy policy, List<Claim> behind) {
        if (own == null) {
            claim.setPolicy(policy);
            engine.acquire(claim, behind);
        } else {
            engine.reenter(claim, own.turn());
        }
    }

    /** The way in which a thread waits for the answer. */
    private interface Wait<E extends Exception> {
        Object until(Waiter waiter) throws E;
    }

    /** Creates the claims that are sent together with a first one. */
    private interface Behind {
        List<Claim> claimsBehind(Claim first);
    }
}
