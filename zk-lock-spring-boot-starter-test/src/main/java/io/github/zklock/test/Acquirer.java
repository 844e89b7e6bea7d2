package io.github.zklock.test;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.test.Claim.Answer;
import io.github.zklock.test.Claim.Granted;
import io.github.zklock.test.Claim.Refused;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Makes claims for threads, which wait for the answer, and for futures, which do not. */
final class Acquirer {

    private final Member member;

    Acquirer(Member member) {
        this.member = member;
    }

    Member member() {
        return member;
    }

    /** What a caller wants. */
    record Wish(LockName name, Demand demand, Patience patience) {}

    /** Refuses an interrupted thread, before anything else. */
    static void checkInterrupt(LockName name) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before asking for lock '" + name + "'");
        }
    }

    /** @param own the turn to re-enter */
    MemoryHandle acquire(Wish wish, @Nullable Turn own) throws InterruptedException {
        Claim claim = claimOfThread(wish, own);
        try {
            member.ensemble().run(() -> member.claims().enter(claim));
            while (claim.answer() == null) {
                LockSupport.park(claim);
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for lock '" + wish.name() + "'");
                }
            }
            return handleOf(claim);
        } catch (InterruptedException | Error leaving) {
            withdraw(claim);
            throw leaving;
        }
    }

    /** An interrupt does not end the wait; the flag is set again on return. */
    MemoryHandle acquireUninterruptibly(Wish wish, @Nullable Turn own) {
        Claim claim = claimOfThread(wish, own);
        boolean interrupted = Thread.interrupted();
        try {
            member.ensemble().run(() -> member.claims().enter(claim));
            while (claim.answer() == null) {
                LockSupport.park(claim);
                interrupted |= Thread.interrupted();
            }
            return handleOf(claim);
        } catch (Error leaving) {
            withdraw(claim);
            throw leaving;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Optional<LockHandle> tryAcquire(Wish wish, @Nullable Turn own) throws InterruptedException {
        try {
            return Optional.of(acquire(wish, own));
        } catch (LockTimeoutException busy) {
            return Optional.empty();
        }
    }

    CompletableFuture<LockHandle> acquireAsync(Wish wish, @Nullable Turn own) {
        Deferred deferred = new Deferred();
        long askedAt = now();
        LockPolicy policy;
        try {
            policy = policyFor(wish, own);
        } catch (IllegalStateException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return deferred.enter(
                new Claim(wish.name(), policy, wish.demand(), wish.patience(), own, null, askedAt, deferred::answered));
    }

    private Claim claimOfThread(Wish wish, @Nullable Turn own) {
        Thread thread = Thread.currentThread();
        long askedAt = now();
        return new Claim(
                wish.name(),
                policyFor(wish, own),
                wish.demand(),
                wish.patience(),
                own,
                thread,
                askedAt,
                answer -> LockSupport.unpark(thread));
    }

    /** The policy in force for this process, or what the user's function says. */
    private LockPolicy policyFor(Wish wish, @Nullable Turn own) {
        LockName name = wish.name();
        Optional<LockPolicy> inForce =
                own == null ? member.ensemble().ask(() -> member.policyInForce(name)) : Optional.of(own.policy());
        if (inForce.isPresent()) {
            return inForce.get();
        }
        try {
            return Objects.requireNonNull(member.settings().policies().apply(name), "it was given none");
        } catch (RuntimeException failed) {
            throw new IllegalStateException(
                    "Lock '" + name + "' not acquired: its policy could not be told: " + failed.getMessage(), failed);
        }
    }

    private long now() {
        return member.alarms().nanoTime();
    }

    private void withdraw(Claim claim) {
        member.ensemble().run(() -> member.claims().withdraw(claim));
    }

    private MemoryHandle handleOf(Claim claim) {
        Answer answer = claim.answer();
        if (answer instanceof Refused refused) {
            throw refused.failure().get();
        }
        if (answer instanceof Granted granted) {
            return MemoryHandle.of(granted.turn());
        }
        throw new IllegalStateException("Lock '" + claim.name() + "': the claim was " + answer);
    }

    /** An answer for nobody's thread: a future, completed where code of users may run. */
    private final class Deferred {

        private final CompletableFuture<LockHandle> future = new CompletableFuture<>();
        private volatile @Nullable LockHandle granted;

        @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what the stage returns
        CompletableFuture<LockHandle> enter(Claim claim) {
            // whoever completes the future from outside, by cancel, orTimeout or a value, takes the claim back
            future.whenComplete((handle, failure) -> {
                if (handle == null || handle != granted) {
                    withdraw(claim);
                }
            });
            member.ensemble().run(() -> member.claims().enter(claim));
            return future;
        }

        void answered(Answer answer) {
            member.ensemble().workers().call(() -> complete(answer));
        }

        private void complete(Answer answer) {
            if (answer instanceof Refused refused) {
                future.completeExceptionally(refused.failure().get());
            } else if (answer instanceof Granted given) {
                LockHandle handle = MemoryHandle.of(given.turn());
                granted = handle;
                // where this loses against a completion from outside, that one gives the turn back
                future.complete(handle);
            }
        }
    }
}
