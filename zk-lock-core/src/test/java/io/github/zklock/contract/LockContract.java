package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link java.util.concurrent.locks.Lock} to the letter. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class LockContract extends Contract {

    @Test
    void lockExcludesOtherThreadsAndOtherProcesses() {
        Member other = join();
        Actor thread = actor("other thread");

        lock().lock();

        assertThat(lockOf(other).tryLock()).isFalse();
        assertThat(thread.run(() -> lock().tryLock())).isFalse();
        lock().unlock();
        await().until(() -> lockOf(other).tryLock());
        lockOf(other).unlock();
    }

    @Test
    void locksOfOneNameAreOneLock() {
        ClusterLock one = registry().lock(name());
        ClusterLock same = registry().lock(name().substring(1) + "/");

        one.lock();

        assertThat(same.name()).isEqualTo(one.name());
        assertThatCode(same::unlock).doesNotThrowAnyException();
    }

    @Test
    void lockIsReentrant() {
        Actor thread = actor("other thread");
        lock().lock();
        lock().lock();
        assertThat(lock().tryLock()).isTrue();

        lock().unlock();
        lock().unlock();

        assertThat(thread.run(() -> lock().tryLock())).isFalse();
        lock().unlock();
        assertThat(thread.run(() -> lock().tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS)))
                .isTrue();
        thread.act(() -> lock().unlock());
    }

    @Test
    void holdsOfOneThreadHaveOneToken() {
        lock().lock();
        lock().lock();

        List<LockHandle> holds = LockContext.current();

        assertThat(holds).hasSize(2);
        assertThat(holds.get(0).fencingToken()).isEqualTo(holds.get(1).fencingToken());
        lock().unlock();
        lock().unlock();
    }

    @Test
    void lockWaitsThroughAnInterruptAndSetsTheFlagAgain() throws Exception {
        LockHandle holder = lock().acquire();
        Actor thread = actor("waiter");
        Future<Boolean> flag = thread.start(() -> {
            lock().lock();
            return Thread.currentThread().isInterrupted();
        });
        awaitWaiters(1);

        thread.interrupt();
        thread.awaitParked();

        assertThat(flag.isDone()).isFalse();
        assertThat(registry().inspector().awaited()).hasSize(1);
        holder.close();
        assertThat(Actor.join(flag)).isTrue();
        thread.act(() -> lock().unlock());
    }

    @Test
    void lockIsTakenByAnInterruptedThreadWhichStaysInterrupted() {
        Actor thread = actor("interrupted");

        boolean flag = thread.run(() -> {
            Thread.currentThread().interrupt();
            lock().lock();
            boolean after = Thread.currentThread().isInterrupted();
            lock().unlock();
            return after && Thread.currentThread().isInterrupted();
        });

        assertThat(flag).isTrue();
    }

    @Test
    void tryLockIsTakenByAnInterruptedThreadWhichStaysInterrupted() {
        Actor thread = actor("interrupted");

        boolean flag = thread.run(() -> {
            Thread.currentThread().interrupt();
            boolean taken = lock().tryLock();
            lock().unlock();
            return taken && Thread.currentThread().isInterrupted();
        });

        assertThat(flag).isTrue();
    }

    @Test
    void interruptibleFormsRefuseAnInterruptedThreadBeforeAnythingElse() {
        Actor thread = actor("interrupted");
        List<Callable<?>> forms = List.of(
                () -> {
                    lock().lockInterruptibly();
                    return true;
                },
                () -> lock().tryLock(1, TimeUnit.MINUTES),
                () -> lock().tryLock(0, TimeUnit.SECONDS),
                () -> lock().acquire(),
                () -> lock().acquire(LONG),
                () -> lock().tryAcquire(),
                () -> lock().tryAcquire(LONG));

        for (Callable<?> form : forms) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> thread.run(() -> {
                        Thread.currentThread().interrupt();
                        return form.call();
                    }));
        }

        assertThat(registry().inspector().held()).isEmpty();
        assertThat(registry().inspector().awaited()).isEmpty();
        assertThat(cluster().queued(name())).isZero();
    }

    @Test
    void interruptedOwnerIsRefusedARestorableReentry() {
        Actor thread = actor("owner");
        thread.act(() -> lock().lock());

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> thread.run(() -> {
                    Thread.currentThread().interrupt();
                    lock().lockInterruptibly();
                    return true;
                }));

        thread.act(() -> lock().unlock());
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void interruptedWaiterLeavesTheQueue() throws Exception {
        Member other = join();
        LockHandle holder = lockOf(other).acquire();
        Actor thread = actor("waiter");
        Future<?> wait = thread.startAct(() -> lock().lockInterruptibly());
        await().until(() -> cluster().queued(name()) == 2);

        thread.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Actor.join(wait));
        await().until(() -> cluster().queued(name()) == 1);
        assertThat(registry().inspector().awaited()).isEmpty();
        holder.close();
    }

    @Test
    void tryLockNeverWaitsForAHolder() throws Exception {
        Member other = join();
        try (LockHandle holder = lockOf(other).acquire()) {

            assertThat(lock().tryLock()).isFalse();
            assertThat(lock().tryLock(0, TimeUnit.SECONDS)).isFalse();
            assertThat(lock().tryLock(-1, TimeUnit.DAYS)).isFalse();
            assertThat(lock().tryAcquire()).isEmpty();
            assertThat(lock().tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(lockOf(other).tryAcquire()).isEmpty();
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void tryLockWithoutATimeTakesAFreeLock() throws Exception {
        for (long time : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(lock().tryLock(time, TimeUnit.SECONDS)).isTrue();
            LockHandle hold = LockContext.current(name()).orElseThrow();
            lock().unlock();
            Actor.join(hold.released().toCompletableFuture());
        }
    }

    @Test
    void timedTryLockIsServedWhenTheHolderLeaves() throws Exception {
        Member other = join();
        LockHandle holder = lockOf(other).acquire();
        Actor thread = actor("waiter");
        Future<Boolean> wait = thread.start(() -> lock().tryLock(LONG.toSeconds(), TimeUnit.SECONDS));
        await().until(() -> cluster().queued(name()) == 2);

        holder.close();

        assertThat(Actor.join(wait)).isTrue();
        thread.act(() -> lock().unlock());
    }

    @Test
    void timedTryLockGivesUpAtItsDeadlineAndLeavesTheQueue() throws Exception {
        Member other = join();
        try (LockHandle holder = lockOf(other).acquire()) {

            boolean taken = lock().tryLock(BUSY.toMillis(), TimeUnit.MILLISECONDS);

            assertThat(taken).isFalse();
            assertThat(holder.isHeld()).isTrue();
            await().until(() -> cluster().queued(name()) == 1);
        }
    }

    @Test
    void unlockIsRefusedToThoseWhoHaveNotLocked() {
        Actor owner = actor("owner");
        owner.act(() -> lock().lock());

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> lock().unlock())
                .withMessageContaining(name());

        owner.act(() -> lock().unlock());
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> owner.act(() -> lock().unlock()));
    }

    @Test
    void threadWithoutANameIsCalledByItsNumber() throws Exception {
        Actor nameless = actor("");
        String number = "#" + nameless.thread().getId();

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> nameless.act(() -> lock().unlock()))
                .withMessageContaining("thread '" + number + "'");

        LockHandle holder = lock().acquire();
        Future<?> wait = nameless.startAct(() -> lock().acquire().close());
        awaitWaiters(1);
        assertThat(registry().inspector().awaited().get(0).waiter()).isEqualTo(number);
        holder.close();
        Actor.join(wait);
    }

    @Test
    void unlockUndoesOnlyWhatLockHasDone() throws Exception {
        lock().lock();
        LockHandle handle = lock().acquire();

        lock().unlock();

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> lock().unlock());
        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void unlockDoesNotUndoAnAcquiredHandle() throws Exception {
        try (LockHandle handle = lock().acquire()) {

            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> lock().unlock());

            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void unlockUndoesTheLatestHoldAlsoUnderAnotherScope() throws Exception {
        lock().lock();

        registry().executeLocked(name(), handle -> {
            lock().lock();
            lock().unlock();
            assertThat(handle.isHeld()).isTrue();
            return true;
        });

        assertThat(LockContext.current()).hasSize(1);
        lock().unlock();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void unlockAfterALossSaysSoAndTheThreadCanLockAnew() {
        lock().lock();
        LockHandle lost = LockContext.current(name()).orElseThrow();
        forceOut(lost);

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().unlock());

        assertThat(lost.state()).isEqualTo(LockState.LOST);
        lock().lock();
        assertThat(LockContext.current(name()).orElseThrow().fencingToken()).isGreaterThan(lost.fencingToken());
        lock().unlock();
    }

    @Test
    void everyHoldHasToBeUndoneAfterALoss() {
        lock().lock();
        lock().lock();
        forceOut(LockContext.current(name()).orElseThrow());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().unlock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().tryLock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().unlock());
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> lock().unlock());
    }

    @Test
    void conditionsAreUnsupported() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> lock().newCondition())
                .withMessageContaining(name());
    }

    @Test
    void threadsOfOneProcessAreServedInTheOrderOfTheirArrival() throws Exception {
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        LockHandle holder = lock().acquire();
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            waits.add(actor("waiter " + number).startAct(() -> {
                lock().lock();
                served.add(number);
                lock().unlock();
            }));
            awaitWaiters(number + 1);
        }

        holder.close();
        waits.forEach(Actor::join);

        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void onlyOneAtATimeIsInsideUnderLoad() {
        List<Member> members = List.of(member(), join());
        List<Future<Integer>> work = new ArrayList<>();
        int[] counter = new int[1];
        for (int i = 0; i < 8; i++) {
            ClusterLock shared = lockOf(members.get(i % 2));
            work.add(actor("worker " + i).start(() -> {
                for (int round = 0; round < 25; round++) {
                    shared.lock();
                    // not atomic on purpose: two at once would lose an increment
                    int seen = counter[0];
                    Thread.onSpinWait();
                    counter[0] = seen + 1;
                    shared.unlock();
                }
                return 25;
            }));
        }

        int expected = work.stream().mapToInt(Actor::join).sum();

        assertThat(counter[0]).isEqualTo(expected);
    }
}
