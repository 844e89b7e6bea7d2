package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a process that lingers leaves to others: a lock that nobody holds is free for every process. (L30) */
// how a lock is taken and given back is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class LingerContract extends Contract {

    private static final Duration LINGER = Duration.ofMinutes(10);

    private Member lingering;

    @BeforeEach
    void joinLingering() {
        LockPolicy usual = LockPolicy.defaults();
        lingering =
                join(Options.none().policy(name -> usual.handOff(usual.handOff().lingering(LINGER))));
    }

    @Test
    void tryAcquireTakesALockThatLingers() throws Exception {
        lockOf(lingering).acquire().close();

        eventually(() -> lock().tryAcquire()).close();
    }

    @Test
    void tryAcquireWithoutAWaitTakesALockThatLingers() throws Exception {
        lockOf(lingering).acquire().close();

        eventually(() -> lock().tryAcquire(Duration.ZERO)).close();
    }

    @Test
    void tryLockTakesALockThatLingers() throws Exception {
        lockOf(lingering).acquire().close();

        await().until(() -> lock().tryLock());

        lock().unlock();
    }

    @Test
    void tryLockWithoutAWaitTakesALockThatLingers() throws Exception {
        lockOf(lingering).acquire().close();

        await().until(() -> lock().tryLock(0, TimeUnit.SECONDS));

        lock().unlock();
    }

    @Test
    void tryOfAllTakesLocksThatLinger() throws Exception {
        lockOf(lingering).acquire().close();
        lingering.registry().lock(name() + "/second").acquire().close();

        eventually(() -> registry()
                        .allOf(name(), name() + "/first", name() + "/second")
                        .tryAcquire())
                .close();
    }

    @Test
    void tryTakesALockThatLingersAgainAndAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            lockOf(lingering).acquire().close();

            eventually(() -> lock().tryAcquire()).close();
        }
    }

    @Test
    void writerTakesALockThatLingersForReadersOfTwoProcesses() throws Exception {
        LockPolicy usual = LockPolicy.defaults();
        Member other =
                join(Options.none().policy(name -> usual.handOff(usual.handOff().lingering(LINGER))));
        LockHandle one = readingOf(lingering).acquire();
        LockHandle two = readingOf(other).acquire();
        one.close();
        two.close();

        eventually(() -> writing().tryAcquire()).close();
    }

    @Test
    void readerTakesALockThatLingersForWriters() throws Exception {
        writingOf(lingering).acquire().close();

        eventually(() -> reading().tryAcquire()).close();
    }

    @Test
    void tryTakesPermitsThatLinger() throws Exception {
        semaphoreOf(lingering, 3).permits(2).acquire().close();

        eventually(() -> semaphore(3).permits(3).tryAcquire()).close();
    }

    @Test
    void permitsThatLingerAreAvailable() throws Exception {
        LockHandle held = semaphoreOf(lingering, 5).permits(2).acquire();
        semaphoreOf(lingering, 5).permits(1).acquire().close();

        await().until(() -> semaphore(5).availablePermits() == 3);
        assertThat(semaphoreOf(lingering, 5).availablePermits()).isEqualTo(3);
        held.close();

        await().until(() -> semaphore(5).availablePermits() == 5);
    }

    @Test
    void permitsThatAreTakenAgainAreNotAvailable() throws Exception {
        semaphoreOf(lingering, 3).acquire().close();
        await().until(() -> semaphore(3).availablePermits() == 3);

        LockHandle again = semaphoreOf(lingering, 3).acquire();

        assertThat(semaphoreOf(lingering, 3).availablePermits()).isEqualTo(2);
        await().until(() -> semaphore(3).availablePermits() == 2);
        again.close();
    }

    @Test
    void tryIsRefusedByALockThatWasTakenAgain() throws Exception {
        lockOf(lingering).acquire().close();
        LockHandle again = lockOf(lingering).acquire();

        assertThat(lock().tryAcquire()).isEmpty();
        assertThat(lock().tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock().tryLock()).isFalse();

        assertThat(again.isHeld()).isTrue();
        again.close();
        eventually(() -> lock().tryAcquire()).close();
    }

    @Test
    void tryIsRefusedByALockThatIsHeldAndWillLinger() throws Exception {
        LockHandle held = lockOf(lingering).acquire();

        assertThat(lock().tryAcquire()).isEmpty();

        assertThat(held.isHeld()).isTrue();
        held.close();
    }

    @Test
    void lockThatIsRequestedAgainAtOnceGoesToTheWaiterFirst() throws Exception {
        LockHandle held = lockOf(lingering).acquire();
        CompletableFuture<LockHandle> waiter = lock().acquireAsync();
        awaitQueued(2);

        held.close();
        CompletableFuture<LockHandle> again = lockOf(lingering).acquireAsync();

        await().until(waiter::isDone);
        assertThat(again).isNotDone();
        waiter.get().close();
        await().until(again::isDone);
        again.get().close();
    }

    @Test
    void lingeringProcessTakesItsLockBackAfterATry() throws Exception {
        lockOf(lingering).acquire().close();
        eventually(() -> lock().tryAcquire()).close();

        lockOf(lingering).acquire().close();

        assertThat(lockOf(lingering).tryAcquire()).isPresent();
    }

    /** The release may be under way when the first try asks, as every release. */
    private static <H extends Handle> H eventually(Callable<Optional<H>> attempt) {
        return await().until(attempt, Optional::isPresent).orElseThrow();
    }
}
