package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several locks as one {@link java.util.concurrent.locks.Lock}: who owns them, from where to where. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class AllOfScopeContract extends Contract {

    private ClusterLock both() {
        return registry().allOf(name() + "/a", name() + "/b");
    }

    private ClusterLock a() {
        return registry().lock(name() + "/a");
    }

    private ClusterLock b() {
        return registry().lock(name() + "/b");
    }

    @Test
    void ownerOfTheWholeReentersItsPartsAndItself() throws Exception {
        both().lock();
        List<LockHandle> held = LockContext.current();

        assertThat(a().tryLock()).isTrue();
        LockHandle single = b().acquire();
        assertThat(both().tryLock()).isTrue();
        LockHandle whole = both().acquire(LONG);

        assertThat(single.fencingToken()).isEqualTo(held.get(1).fencingToken());
        assertThat(whole.parts())
                .extracting(LockHandle::fencingToken)
                .containsExactly(held.get(0).fencingToken(), held.get(1).fencingToken());
        whole.close();
        both().unlock();
        single.close();
        a().unlock();
        both().unlock();
        assertThat(LockContext.current()).isEmpty();
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void ownerOfOnePartReentersItWhenItTakesTheWhole() throws Exception {
        b().lock();

        LockHandle sync = both().acquire(LONG);
        sync.close();
        LockHandle async = Actor.join(both().acquireAsync(LONG));
        async.close();

        FencingToken own = LockContext.current(name() + "/b").orElseThrow().fencingToken();
        assertThat(List.of(sync, async))
                .extracting(whole -> whole.parts().get(1).fencingToken())
                .containsOnly(own);
        b().unlock();
    }

    @Test
    void whatTheAskerOwnsIsReenteredAlsoAfterAWaitForWhatComesBefore() throws Exception {
        b().lock();
        LockHandle holder = join().registry().lock(name() + "/a").acquire();
        CompletableFuture<LockHandle> wait = both().acquireAsync();
        awaitWaiters(1);

        holder.close();

        LockHandle whole = Actor.join(wait);
        assertThat(whole.parts().get(1).fencingToken())
                .isEqualTo(LockContext.current(name() + "/b").orElseThrow().fencingToken());
        whole.close();
        b().unlock();
    }

    @Test
    void wholeIsUnlockedByThoseWhoLockedTheWholeOnly() throws Exception {
        a().lock();
        b().lock();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> both().unlock())
                .withMessageContaining(name() + "/a")
                .withMessageContaining(name() + "/b");
        b().unlock();
        a().unlock();

        try (LockHandle whole = both().acquire();
                LockContext.Scope scope = LockContext.open(whole)) {
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> both().unlock());
            assertThat(whole.isHeld()).isTrue();
        }

        both().lock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> a().unlock());
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> registry().allOf(name() + "/a", name() + "/c").unlock());
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> actor("other thread").act(() -> both().unlock()));
        registry().allOf(name() + "/b", name() + "/a").unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> both().unlock());
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void unlockUndoesTheLatestHoldOfThisWhole() {
        ClusterLock wider = registry().allOf(both(), registry().lock(name() + "/c"));
        both().lock();
        wider.lock();
        both().lock();

        both().unlock();
        both().unlock();

        assertThat(LockContext.current()).hasSize(3);
        assertThat(LockContext.current()).allMatch(LockHandle::isHeld);
        wider.unlock();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void unlockAfterALossSaysSoAndTheThreadCanLockAnew() {
        both().lock();
        forceOut(LockContext.current(name() + "/b").orElseThrow());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> both().tryLock());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> both().unlock())
                .satisfies(loss -> assertThat(loss.name()).isEqualTo(b().name()));

        assertThat(LockContext.current()).isEmpty();
        both().lock();
        both().unlock();
    }

    @Test
    void scopeOfAWholeIsClosedByItsThreadOnly() throws Exception {
        LockHandle whole = both().acquire();
        Actor thread = actor("other thread");
        LockContext.Scope scope = LockContext.open(whole);

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> thread.act(scope::close))
                .withMessageContaining(name() + "/a")
                .withMessageContaining(name() + "/b");

        scope.close();
        whole.close();
    }

    @Test
    void threadThatHasOnlyAHandleOfTheWholeIsAStrangerToItsParts() throws Exception {
        try (LockHandle whole = both().acquire()) {

            assertThat(a().tryAcquire()).isEmpty();
            assertThat(both().tryLock()).isFalse();
            assertThat(whole.isHeld()).isTrue();
        }
    }

    @Test
    void lockWaitsThroughAnInterruptAndSetsTheFlagAgain() throws Exception {
        for (ClusterLock missing : List.of(a(), b())) {
            LockHandle holder = missing.acquire(LONG);
            Actor thread = actor("waits for " + missing.name());
            Future<Boolean> flag = thread.start(() -> {
                both().lock();
                both().unlock();
                return Thread.currentThread().isInterrupted();
            });
            awaitWaiters(1);

            thread.interrupt();
            thread.awaitParked();

            assertThat(flag.isDone()).isFalse();
            holder.close();
            assertThat(Actor.join(flag)).isTrue();
        }
    }

    @Test
    void uninterruptibleFormsAreTakenByAnInterruptedThreadWhichStaysInterrupted() {
        boolean flag = actor("interrupted").run(() -> {
            Thread.currentThread().interrupt();
            both().lock();
            boolean taken = both().tryLock();
            both().unlock();
            both().unlock();
            return taken && Thread.interrupted();
        });

        assertThat(flag).isTrue();
    }

    @Test
    void interruptibleFormsRefuseAnInterruptedThreadBeforeAnythingElse() {
        Actor thread = actor("interrupted");
        List<Callable<?>> forms = List.of(
                () -> {
                    both().lockInterruptibly();
                    return true;
                },
                () -> both().tryLock(1, TimeUnit.MINUTES),
                () -> both().tryLock(-1, TimeUnit.MINUTES),
                () -> both().acquire(),
                () -> both().acquire(LONG),
                () -> both().tryAcquire(),
                () -> both().tryAcquire(LONG));

        for (Callable<?> form : forms) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> thread.run(() -> {
                        Thread.currentThread().interrupt();
                        return form.call();
                    }));
        }

        assertThat(registry().inspector().held()).isEmpty();
        assertThat(cluster().queued(name() + "/a")).isZero();
    }

    @Test
    void failureOfAnUninterruptibleFormHasTheTraceOfItsCaller() {
        Member leaving = join();
        ClusterLock whole = leaving.registry().allOf(name() + "/a", name() + "/b");
        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(whole::lock)
                .satisfies(refused -> assertThat(refused.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(AllOfScopeContract.class.getName())));
        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(whole.acquireAsync()));
    }

    @Test
    void upgradeWithinAWholeIsRefusedAndKeepsNothing() throws Exception {
        registry().readWriteLock(name()).readLock().lock();
        ClusterLock whole = registry()
                .allOf(registry().readWriteLock(name()).writeLock(), registry().lock("/0" + name()));

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(whole::lock);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> whole.acquire(LONG));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Actor.join(whole.acquireAsync()));

        assertThat(registry().inspector().held()).hasSize(1);
        registry().readWriteLock(name()).readLock().unlock();
    }
}
