package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.OnClose;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of the locks that a registry holds when it is closed. (M31) */
public abstract class ClosingContract extends Contract {

    @Test
    void closedRegistryKeepsTheLockUntilItsHolderReleasesIt() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle held = lockOf(leaving).acquire();

        leaving.close();

        assertThat(held.state()).isEqualTo(LockState.HELD);
        held.ensureHeld();
        assertThat(lock().tryAcquire()).isEmpty();
        held.close();
        lock().acquire(LONG).close();
        assertThat(held.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void closedRegistryThatKeepsALockRejectsAllOtherRequests() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle held = lockOf(leaving).acquire();
        Actor waiter = actor("waiter");
        Future<?> wait = waiter.startAct(() -> lockOf(leaving).acquire());
        await().until(() -> leaving.registry().inspector().awaited().size() == 1);

        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> leaving.registry().lock(name() + "/other").acquire());
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> lockOf(leaving).tryAcquire());
        assertThat(held.isHeld()).isTrue();
        held.close();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the steps are what is looked at
    void ownerReentersWhatAClosedRegistryKeeps() {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        lockOf(leaving).lock();
        leaving.close();

        lockOf(leaving).lock();
        lockOf(leaving).unlock();

        assertThat(leaving.registry().inspector().held()).hasSize(1);
        lockOf(leaving).unlock();
        assertThat(leaving.registry().inspector().held()).isEmpty();
    }

    @Test
    void readersStayWithAClosedRegistryAndLetOthersRead() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle one = readingOf(leaving).acquire();
        LockHandle two = readingOf(leaving).acquire();

        leaving.close();

        reading().acquire(LONG).close();
        one.close();
        assertThat(two.isHeld()).isTrue();
        assertThat(writing().tryAcquire()).isEmpty();
        two.close();
        writing().acquire(LONG).close();
    }

    @Test
    void permitsStayWithAClosedRegistry() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle held = semaphoreOf(leaving, 2).permits(2).acquire();

        leaving.close();

        assertThat(semaphore(2).permits(1).tryAcquire()).isEmpty();
        held.close();
        semaphore(2).permits(2).acquire(LONG).close();
    }

    @Test
    void lossAfterTheCloseIsReported() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle held = lockOf(leaving).acquire();
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(lost::countDown);
        leaving.close();

        forceOut(held);

        assertThat(lost.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(held::close);
        lock().acquire(LONG).close();
    }

    @Test
    void expiredSessionOfAClosedRegistryEndsWhatItKeeps() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.KEEP_HELD));
        LockHandle held = lockOf(leaving).acquire();
        leaving.close();

        leaving.expireSession();

        await().until(() -> held.state() == LockState.LOST);
        lock().acquire(LONG).close();
    }

    @Test
    void closedRegistryReleasesWhatIsHeldIfItIsToldTo() throws Exception {
        Member leaving = join(Options.none().onClose(OnClose.RELEASE_HELD));
        LockHandle held = lockOf(leaving).acquire();
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(lost::countDown);

        leaving.close();

        assertThat(held.state()).isEqualTo(LockState.LOST);
        assertThat(lost.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        lock().acquire(LONG).close();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(held::close);
    }
}
