package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** In which order wishes for permits are served, and how their waits end. */
public abstract class SemaphoreOrderContract extends Contract {

    @Test
    void smallWishDoesNotOvertakeALargeOneOfItsProcess() throws Exception {
        LockHandle holder = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> large = semaphore(3).permits(3).acquireAsync();
        awaitWaiters(1);

        assertOvertakesNobody(member(), holder, large, 2);
    }

    @Test
    void smallWishDoesNotOvertakeALargeOneOfAnotherProcess() throws Exception {
        LockHandle holder = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> large = semaphoreOf(join(), 3).permits(3).acquireAsync();
        awaitQueued(2);

        assertOvertakesNobody(member(), holder, large, 1);
    }

    @Test
    void smallWishOfAProcessThatHoldsNothingDoesNotOvertakeEither() throws Exception {
        Member late = join();
        LockHandle holder = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> large = semaphore(3).permits(3).acquireAsync();
        awaitQueued(2);

        assertThat(semaphoreOf(late, 3).tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> small = semaphoreOf(late, 3).acquireAsync();
        awaitQueued(3);
        assertThat(small.isDone()).isFalse();
        holder.close();

        LockHandle all = Actor.join(large);
        assertThat(small.isDone()).isFalse();
        all.close();
        Actor.join(small).close();
    }

    private void assertOvertakesNobody(Member late, LockHandle holder, CompletableFuture<LockHandle> large, int waiters)
            throws Exception {
        assertThat(semaphoreOf(late, 3).tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> small = semaphoreOf(late, 3).acquireAsync();
        awaitWaiters(waiters);

        holder.close();

        LockHandle all = Actor.join(large);
        assertThat(small.isDone()).isFalse();
        all.close();
        Actor.join(small).close();
    }

    @Test
    void wishThatIsGivenUpLetsThoseBehindItIn() throws Exception {
        Member other = join();
        LockHandle holder = semaphoreOf(join(), 3).permits(2).acquire();
        for (Member behind : List.of(member(), other)) {
            CompletableFuture<LockHandle> large = semaphore(3).permits(2).acquireAsync();
            awaitQueued(2);
            CompletableFuture<LockHandle> small = semaphoreOf(behind, 3).acquireAsync();
            await().until(() -> behind.registry().inspector().awaited().size() == (behind == member() ? 2 : 1));

            large.cancel(false);

            LockHandle one = Actor.join(small);
            assertThat(holder.isHeld()).isTrue();
            one.close();
            awaitQueued(1);
        }
        holder.close();
    }

    @Test
    void wishThatEndsAtItsDeadlineLetsThoseBehindItIn() throws Exception {
        LockHandle holder = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> large = semaphore(3).permits(2).acquireAsync(SHORT);
        CompletableFuture<LockHandle> small = semaphoreOf(join(), 3).acquireAsync();

        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> Actor.join(large));

        Actor.join(small).close();
        holder.close();
    }

    @Test
    void waitsAreServedInTheOrderOfTheirArrival() throws Exception {
        List<Member> processes = List.of(member(), join(), join());
        LockHandle holder = semaphoreOf(join(), 2).permits(2).acquire();
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (Member process : processes) {
            waits.add(semaphoreOf(process, 2).permits(2).acquireAsync());
            awaitQueued(waits.size() + 1);
        }

        holder.close();

        for (int i = 0; i < waits.size(); i++) {
            LockHandle next = Actor.join(waits.get(i));
            assertThat(waits.subList(i + 1, waits.size())).noneMatch(Future::isDone);
            next.close();
        }
    }

    @Test
    void waitsEndAtTheirDeadlinesAndLeaveTheQueue() throws Exception {
        Member other = join();
        try (LockHandle holder = semaphoreOf(other, 2).acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> semaphore(2).permits(2).acquire(Duration.ZERO));

            // those that wait all at once, as each takes its time
            Future<?> acquire =
                    actor("acquire").start(() -> semaphore(2).permits(2).acquire(BUSY));
            Future<Optional<LockHandle>> tryAcquire =
                    actor("tryAcquire").start(() -> semaphore(2).permits(2).tryAcquire(BUSY));
            Future<LockHandle> async = semaphore(2).permits(2).acquireAsync(BUSY);

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> Actor.join(acquire))
                    .satisfies(late -> assertThat(late.name()).isEqualTo(holder.name()))
                    .withMessageContaining("'" + name() + "' not acquired")
                    .withMessageContaining(Words.of(BUSY));
            assertThat(Actor.join(tryAcquire)).isEmpty();
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> Actor.join(async));
            awaitQueued(1);
            assertThat(registry().inspector().awaited()).isEmpty();
        }
    }

    @Test
    void longestWaitsDoNotOverflow() throws Exception {
        LockHandle holder = semaphore(1).acquire(Duration.ofSeconds(Long.MAX_VALUE));
        CompletableFuture<LockHandle> wait = semaphore(1).permits(1).acquireAsync(Duration.ofSeconds(Long.MAX_VALUE));
        awaitWaiters(1);

        holder.close();

        Actor.join(wait).close();
    }

    @Test
    void interruptedWaiterLeavesTheQueue() throws Exception {
        LockHandle holder = semaphoreOf(join(), 1).acquire();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> semaphore(1).acquire());
        awaitQueued(2);

        thread.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Actor.join(wait));
        awaitQueued(1);
        assertThat(registry().inspector().awaited()).isEmpty();
        holder.close();
    }

    @Test
    void interruptedThreadIsRefusedBeforeAnythingElse() {
        Actor thread = actor("interrupted");
        List<Callable<?>> forms = List.of(
                () -> semaphore(2).acquire(),
                () -> semaphore(2).permits(2).acquire(LONG),
                () -> semaphore(2).tryAcquire(),
                () -> semaphore(2).permits(2).tryAcquire(LONG));

        for (Callable<?> form : forms) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> thread.run(() -> {
                        Thread.currentThread().interrupt();
                        return form.call();
                    }));
        }

        assertThat(registry().inspector().held()).isEmpty();
        assertThat(cluster().queued(name())).isZero();
    }

    @Test
    void timingOutFromOutsideLeavesTheQueue() throws Exception {
        LockHandle holder = semaphoreOf(join(), 1).acquire();

        CompletableFuture<LockHandle> wait =
                semaphore(1).acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS);

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Actor.join(wait));
        awaitQueued(1);
        awaitWaiters(0);
        holder.close();
    }

    @Test
    void handleOfAFutureThatWasCancelledAtTheMomentOfTheGrantIsClosed() throws Exception {
        Actor canceller = actor("canceller");
        for (int i = 0; i < 20; i++) {
            LockHandle holder = semaphore(2).permits(2).acquire(LONG);
            CompletableFuture<LockHandle> wait = semaphore(2).permits(2).acquireAsync();
            awaitWaiters(1);
            Future<Boolean> cancelled = canceller.start(() -> wait.cancel(false));

            holder.close();

            if (!Actor.join(cancelled)) {
                Actor.join(wait).close();
            }
            semaphore(2).permits(2).acquire(LONG).close();
        }
    }

    @Test
    void futureIsNotCompletedByAnEventThread() throws Exception {
        LockHandle holder = semaphoreOf(join(), 1).acquire();
        CompletableFuture<Thread> completer = semaphore(1).acquireAsync(LONG).thenApply(handle -> {
            handle.close();
            return Thread.currentThread();
        });
        awaitQueued(2);

        holder.close();

        assertThat(cluster().isEventThread(Actor.join(completer))).isFalse();
    }
}
