package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What the forms without a thread promise. */
public abstract class AsyncContract extends Contract {

    @Test
    void futureIsCompletedWithAHeldHandle() {
        LockHandle handle = Actor.join(lock().acquireAsync());

        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void futureIsNotCompletedByAnEventThread() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        CompletableFuture<LockHandle> wait = lock().acquireAsync(LONG);
        CompletableFuture<Thread> completer = wait.thenApply(handle -> {
            handle.close();
            return Thread.currentThread();
        });
        awaitWaiters(1);

        holder.close();

        assertThat(cluster().isEventThread(Actor.join(completer))).isFalse();
    }

    @Test
    void waitsTakeNoThread() throws Exception {
        int waits = 300;
        LockHandle holder = lock().acquire();
        int threadsBefore = Thread.activeCount();
        List<CompletableFuture<Boolean>> served = new ArrayList<>();

        for (int i = 0; i < waits; i++) {
            served.add(lock().acquireAsync().thenApply(handle -> {
                boolean held = handle.isHeld();
                handle.close();
                return held;
            }));
        }

        awaitWaiters(waits);
        assertThat(Thread.activeCount()).isLessThan(threadsBefore + waits / 3);
        holder.close();
        assertThat(served).allSatisfy(each -> assertThat(Actor.join(each)).isTrue());
    }

    @Test
    void cancellingLeavesTheQueue() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        CompletableFuture<LockHandle> wait = lock().acquireAsync();
        await().until(() -> cluster().queued(name()) == 2);

        wait.cancel(false);

        await().until(() -> cluster().queued(name()) == 1);
        assertThat(registry().inspector().awaited()).isEmpty();
        holder.close();
    }

    @Test
    void timingOutFromOutsideLeavesTheQueue() throws Exception {
        LockHandle holder = lockOf(join()).acquire();

        CompletableFuture<LockHandle> wait = lock().acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS);

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Actor.join(wait));
        await().until(() -> cluster().queued(name()) == 1);
        holder.close();
    }

    @Test
    void futureFailsAtItsDeadline() throws Exception {
        LockHandle holder = lockOf(join()).acquire();

        CompletableFuture<LockHandle> wait = lock().acquireAsync(BUSY);

        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> Actor.join(wait));
        await().until(() -> cluster().queued(name()) == 1);
        holder.close();
    }

    @Test
    void handleOfAFutureThatWasCancelledAtTheMomentOfTheGrantIsClosed() throws Exception {
        Actor canceller = actor("canceller");
        for (int i = 0; i < 50; i++) {
            LockHandle holder = lock().acquire(LONG);
            CompletableFuture<LockHandle> wait = lock().acquireAsync();
            awaitWaiters(1);
            Future<Boolean> cancelled = canceller.start(() -> wait.cancel(false));

            holder.close();

            if (!Actor.join(cancelled)) {
                Actor.join(wait).close();
            }
            lock().acquire(LONG).close();
        }
    }

    @Test
    void cancellingACompletedFutureDoesNotGiveTheLockBack() {
        CompletableFuture<LockHandle> future = lock().acquireAsync();
        LockHandle handle = Actor.join(future);

        boolean cancelled = future.cancel(true);

        assertThat(cancelled).isFalse();
        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void threadThatCompletesAFutureIsAStrangerToTheLock() {
        CompletableFuture<Boolean> taken = lock().acquireAsync().thenApply(handle -> {
            boolean again = lock().tryLock();
            handle.close();
            return again;
        });

        assertThat(Actor.join(taken)).isFalse();
    }

    @Test
    void ownerReentersWithTheSameToken() throws Exception {
        long tokens = registry().executeLocked(name(), outer -> {
            LockHandle inner = Actor.join(lock().acquireAsync(LONG));
            boolean same = inner.fencingToken().equals(outer.fencingToken());
            inner.close();
            assertThat(outer.isHeld()).isTrue();
            return same ? 1L : 2L;
        });

        assertThat(tokens).isEqualTo(1);
    }

    @Test
    void callbackThatBlocksDoesNotKeepOtherFuturesFromCompleting() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        LockHandle holder = lock().acquire();
        LockHandle otherHolder = registry().lock(name() + "/other").acquire();
        CompletableFuture<Boolean> blocking = lock().acquireAsync().thenApply(handle -> {
            boolean ended = awaitLatch(end);
            handle.close();
            return ended;
        });
        CompletableFuture<LockHandle> free = registry().lock(name() + "/other").acquireAsync();
        awaitWaiters(2);

        holder.close();
        otherHolder.close();

        Actor.join(free).close();
        end.countDown();
        assertThat(Actor.join(blocking)).isTrue();
    }

    @Test
    void closingTheRegistryFailsTheFuturesThatWait() throws Exception {
        Member leaving = join();
        LockHandle holder = lock().acquire();
        CompletableFuture<LockHandle> wait = lockOf(leaving).acquireAsync();
        await().until(() -> cluster().queued(name()) == 2);

        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> Actor.join(lockOf(leaving).acquireAsync()));
        holder.close();
    }

    private static boolean awaitLatch(CountDownLatch latch) {
        try {
            return latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
