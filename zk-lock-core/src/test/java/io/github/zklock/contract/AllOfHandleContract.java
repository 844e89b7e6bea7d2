package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterLock;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the handle of several locks promises, and how a wait for them ends. */
public abstract class AllOfHandleContract extends Contract {

    private Acquirable<Handle> both() {
        return bothOf(member());
    }

    private Acquirable<Handle> bothOf(Member process) {
        return process.registry().allOf(name() + "/a", name() + "/b");
    }

    private ClusterLock a() {
        return registry().lock(name() + "/a");
    }

    private ClusterLock b() {
        return registry().lock(name() + "/b");
    }

    private void awaitQueued(String part, int count) {
        await().until(() -> cluster().queued(name() + part) == count);
    }

    @Test
    void wholeIsHeldUntilItIsClosed() throws Exception {
        Handle whole = both().acquire();
        assertThat(whole.state()).isEqualTo(LockState.HELD);
        assertThat(whole.remaining()).isPositive();
        assertThatCode(whole::ensureHeld).doesNotThrowAnyException();
        assertThat(whole.released().toCompletableFuture().isDone()).isFalse();

        whole.close();

        assertThat(whole.state()).isEqualTo(LockState.RELEASED);
        assertThat(whole.isHeld()).isFalse();
        assertThat(whole.remaining()).isZero();
        assertThat(whole.parts()).extracting(LockHandle::state).containsOnly(LockState.RELEASED);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(whole::ensureHeld)
                .withMessageContaining("closed");
        Actor.join(whole.released().toCompletableFuture());
        assertThat(cluster().queued(name() + "/a")).isZero();
        assertThat(cluster().queued(name() + "/b")).isZero();
    }

    @Test
    void closeIsIdempotentAndOpenToAnyThread() throws Exception {
        Handle first = both().acquire();
        actor("other thread").act(first::close);
        Handle second = both().acquire(LONG);

        first.close();

        assertThat(second.isHeld()).isTrue();
        second.close();
    }

    @Test
    void lossOfOnePartIsALossOfTheWholeAndClosesTheOthers() throws Exception {
        for (int part : new int[] {0, 1}) {
            Handle whole = both().acquire(LONG);
            LockHandle lost = whole.parts().get(part);
            forceOut(lost);

            assertThat(whole.state()).isEqualTo(LockState.LOST);
            assertThat(whole.isHeld()).isFalse();
            assertThat(whole.remaining()).isZero();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(whole::ensureHeld)
                    .satisfies(loss -> assertThat(loss.name()).isEqualTo(lost.name()));
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(whole::close)
                    .satisfies(loss -> assertThat(loss.name()).isEqualTo(lost.name()))
                    .satisfies(loss -> assertThat(loss).hasNoSuppressedExceptions())
                    .withMessageContaining("'" + lost.name() + "' was lost");
            assertThatCode(whole::close).doesNotThrowAnyException();
            assertThat(whole.state()).isEqualTo(LockState.LOST);
            both().acquire(LONG).close();
        }
    }

    @Test
    void lossOfAllPartsIsToldByTheFirstWithTheOthersSuppressed() throws Exception {
        Handle whole = both().acquire();
        CountDownLatch told = new CountDownLatch(2);
        AtomicInteger runs = new AtomicInteger();
        whole.onLost(runs::incrementAndGet);
        whole.parts().forEach(part -> part.onLost(told::countDown));

        whole.parts().forEach(this::forceOut);

        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await().until(() -> runs.get() > 0);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(whole::close)
                .satisfies(loss -> assertThat(loss.name()).isEqualTo(a().name()))
                .satisfies(loss -> assertThat(loss.getSuppressed())
                        .singleElement()
                        .isInstanceOf(LockLostException.class)
                        .extracting(other -> ((LockLostException) other).name())
                        .isEqualTo(b().name()));
        assertThat(runs).hasValue(1);
    }

    @Test
    void lossActionRunsAtOnceIfOneIsLostAlreadyAndNeverAfterClose() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        AtomicInteger unwanted = new AtomicInteger();
        Handle whole = both().acquire();
        Registration out = whole.onLost(unwanted::incrementAndGet);
        out.close();
        forceOut(whole.parts().get(1));

        whole.onLost(ran::countDown);

        assertThat(ran.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(whole::close);
        whole.onLost(unwanted::incrementAndGet);
        assertThat(unwanted).hasValue(0);
    }

    @Test
    void wholeIsInDoubtWhenOneOfItsPartsIs() throws Exception {
        Member doubtful = join(Options.none().sessionTimeout(Duration.ofSeconds(1)));
        Handle whole = bothOf(doubtful).acquire();

        cluster().outage();

        await().until(() -> !whole.isHeld());
        assertThat(whole.state()).isIn(LockState.SUSPENDED, LockState.LOST);
        assertThat(whole.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(whole::ensureHeld);
        cluster().heal();
        await().until(() -> whole.state() == LockState.LOST || whole.isHeld());
    }

    @Test
    void partThatIsLostWhileAnotherIsWaitedForIsTakenAgain() throws Exception {
        LockHandle holder = b().acquire();
        CompletableFuture<Handle> async = both().acquireAsync(LONG);
        awaitWaiters(1);
        assertRegained(holder, async);

        LockHandle again = b().acquire(LONG);
        Future<Handle> sync = actor("waiter").start(() -> both().acquire(LONG));
        awaitWaiters(1);
        assertRegained(again, sync);
    }

    private void assertRegained(LockHandle holder, Future<Handle> wait) {
        await().until(() -> seatOf(a()).isPresent());
        Optional<String> lost = seatOf(a());
        cluster().forceOut(name() + "/a");
        await().until(() -> seatOf(a()).isEmpty());

        holder.close();

        Handle whole = Actor.join(wait);
        assertThat(whole.parts()).hasSize(2).allMatch(LockHandle::isHeld);
        assertThat(seatOf(a())).isPresent().isNotEqualTo(lost);
        whole.close();
        awaitQueued("/a", 0);
    }

    /** The seat on which this process holds the lock, if it does. */
    private Optional<String> seatOf(ClusterLock lock) {
        return registry().inspector().held().stream()
                .filter(held -> held.name().equals(lock.name()) && held.state() == LockState.HELD)
                .findFirst()
                .map(LockInspector.Held::seatId);
    }

    @Test
    void interruptedWaiterLeavesAllQueuesAndKeepsNothing() throws Exception {
        LockHandle holder = join().registry().lock(name() + "/b").acquire();
        Actor thread = actor("waiter");
        Future<?> wait = thread.startAct(() -> both().acquire());
        awaitQueued("/b", 2);

        thread.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Actor.join(wait));
        awaitQueued("/a", 0);
        awaitQueued("/b", 1);
        assertThat(registry().inspector().held()).isEmpty();
        assertThat(registry().inspector().awaited()).isEmpty();
        holder.close();
    }

    @Test
    void cancellingLeavesAllQueuesAndKeepsNothing() throws Exception {
        LockHandle holder = join().registry().lock(name() + "/b").acquire();
        CompletableFuture<Handle> cancelled = both().acquireAsync();
        awaitQueued("/b", 2);

        cancelled.cancel(false);

        awaitQueued("/a", 0);
        awaitQueued("/b", 1);
        CompletableFuture<Handle> late = both().acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS);
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Actor.join(late));
        awaitQueued("/a", 0);
        awaitQueued("/b", 1);
        awaitWaiters(0);
        holder.close();
    }

    @Test
    void closingTheRegistryEndsTheWaitAndKeepsNothing() throws Exception {
        Member leaving = join();
        LockHandle holder = b().acquire();
        CompletableFuture<Handle> async = bothOf(leaving).acquireAsync();
        awaitQueued("/b", 2);

        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(async));
        a().acquire(LONG).close();
        awaitQueued("/b", 1);
        holder.close();
    }

    @Test
    void handleOfAFutureThatWasCancelledAtTheMomentOfTheGrantIsClosed() throws Exception {
        Actor canceller = actor("canceller");
        for (int i = 0; i < 25; i++) {
            LockHandle holder = (i % 2 == 0 ? a() : b()).acquire(LONG);
            CompletableFuture<Handle> wait = both().acquireAsync();
            awaitWaiters(1);
            Future<Boolean> cancelled = canceller.start(() -> wait.cancel(false));

            holder.close();

            if (!Actor.join(cancelled)) {
                Actor.join(wait).close();
            }
            both().acquire(LONG).close();
        }
    }

    @Test
    void futureIsNotCompletedByAnEventThread() throws Exception {
        LockHandle holder = join().registry().lock(name() + "/b").acquire();
        CompletableFuture<Thread> completer = both().acquireAsync(LONG).thenApply(whole -> {
            whole.close();
            return Thread.currentThread();
        });
        awaitQueued("/b", 2);

        holder.close();

        assertThat(cluster().isEventThread(Actor.join(completer))).isFalse();
    }
}
