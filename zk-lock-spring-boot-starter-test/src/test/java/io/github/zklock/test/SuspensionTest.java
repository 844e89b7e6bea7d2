package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Failures of one process in memory, and their effects on its locks. */
class SuspensionTest extends TwoProcesses {

    @Test
    void lostSessionEndsHoldsAndStartsAnotherSession() throws Exception {
        String before = here.inspector().session().id();
        LockHandle handle = here.lock(NAME).acquire();

        here.loseSession();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(here.inspector().session().id()).isNotEmpty().isNotEqualTo(before);
        there.lock(NAME).tryAcquire().orElseThrow().close();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("its session ended");
    }

    @Test
    void waiterOfALostSessionQueuesAgainBehindAllOthers() throws Exception {
        LockHandle holder = join(LONG).lock(NAME).acquire();
        CompletableFuture<LockHandle> first = here.lock(NAME).acquireAsync();
        CompletableFuture<LockHandle> second = there.lock(NAME).acquireAsync();

        here.loseSession();
        holder.close();

        assertThat(Actor.join(second).isHeld()).isTrue();
        assertThat(here.inspector().awaited()).hasSize(1);
        Actor.join(second).close();
        Actor.join(first).close();
    }

    @Test
    void suspendedHolderExcludesOthersAndHoldsAgainAfterResume() throws Exception {
        List<LockEvent> told = new CopyOnWriteArrayList<>();
        here.addListener(told::add);
        LockHandle handle = here.lock(NAME).acquire();

        here.suspend();

        assertThat(handle.state()).isEqualTo(LockState.SUSPENDED);
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::ensureHeld);
        assertThat(there.lock(NAME).tryAcquire()).isEmpty();
        here.resume();
        assertThat(handle.state()).isEqualTo(LockState.HELD);
        handle.close();
        await().until(() -> told.size() == 5);
        assertThat(told)
                .hasExactlyElementsOfTypes(
                        LockEvent.Queued.class,
                        LockEvent.Acquired.class,
                        LockEvent.Suspended.class,
                        LockEvent.Resumed.class,
                        LockEvent.Released.class);
    }

    @Test
    void lockIsHeldAgainAtOnceHoweverLongItWasSuspended() throws Exception {
        InMemoryLockRegistry mortal = join(Duration.ofSeconds(6));
        LockHandle handle = mortal.lock(NAME).acquire();
        mortal.suspend();
        // nearly all of the session timeout
        LockSupport.parkNanos(Duration.ofMillis(5_200).toNanos());

        mortal.resume();

        assertThat(handle.isHeld()).isTrue();
        mortal.lock("/other").tryAcquire().orElseThrow().close();
    }

    @Test
    void lockOfAShortSessionIsNotSuspendedByItself() throws Exception {
        LockHandle handle = join(Duration.ofMillis(1)).lock(NAME).acquire();

        for (int look = 0; look < 100; look++) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void suspendedHolderLosesTheLockWhenItsSessionTimeoutHasPassed() throws Exception {
        InMemoryLockRegistry mortal = join(SHORT);
        LockHandle handle = mortal.lock(NAME).acquire();

        mortal.suspend();
        LockHandle next = there.lock(NAME).acquire(LONG);

        await().until(() -> handle.state() == LockState.LOST);
        assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
        mortal.resume();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(mortal.lock(NAME).tryAcquire()).isEmpty();
    }

    @Test
    void releaseOfASuspendedHolderTakesEffectAfterResume() throws Exception {
        LockHandle handle = here.lock(NAME).acquire();
        here.suspend();

        handle.close();

        assertThat(handle.state()).isEqualTo(LockState.RELEASED);
        assertThat(there.lock(NAME).tryAcquire()).isEmpty();
        assertThat(handle.released().toCompletableFuture()).isNotDone();
        here.resume();
        Actor.join(handle.released().toCompletableFuture());
        there.lock(NAME).tryAcquire().orElseThrow().close();
    }

    @Test
    void waiterOfASuspendedProcessKeepsItsPlace() throws Exception {
        LockHandle holder = join(LONG).lock(NAME).acquire();
        CompletableFuture<LockHandle> first = here.lock(NAME).acquireAsync();
        CompletableFuture<LockHandle> second = there.lock(NAME).acquireAsync();
        here.suspend();

        holder.close();

        assertThat(there.lock(NAME).tryAcquire()).isEmpty();
        assertThat(here.inspector().awaited()).hasSize(1);
        assertThat(there.inspector().awaited()).hasSize(1);
        here.resume();
        Actor.join(first).close();
        Actor.join(second).close();
    }

    @Test
    void suspendedHolderThatIsForcedOutDetectsTheLossAfterResume() throws Exception {
        LockHandle handle = here.lock(NAME).acquire();
        here.suspend();

        assertThat(cluster.forceOut(NAME)).isTrue();

        assertThat(handle.state()).isEqualTo(LockState.SUSPENDED);
        LockHandle next = there.lock(NAME).tryAcquire().orElseThrow();
        here.resume();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void suspendedOwnerReentersAfterResume() throws Exception {
        ClusterLock lock = here.lock(NAME);
        try (Actor owner = new Actor("owner")) {
            owner.act(lock::lock);
            here.suspend();
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> owner.run(() -> lock.acquire(SHORT)));
            Future<LockHandle> again = owner.start(lock::acquire);
            await().until(() -> here.inspector().awaited().size() == 1);

            here.resume();

            assertThat(Actor.join(again).isHeld()).isTrue();
            Actor.join(again).close();
            owner.act(lock::unlock);
        }
    }

    @Test
    void ownerThatLosesItsSessionWhileItReentersFails() throws Exception {
        ClusterLock lock = here.lock(NAME);
        try (Actor owner = new Actor("owner")) {
            owner.act(lock::lock);
            here.suspend();
            Future<LockHandle> again = owner.start(lock::acquire);
            await().until(() -> here.inspector().awaited().size() == 1);

            here.loseSession();

            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> Actor.join(again));
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> owner.act(lock::unlock));
        }
    }

    @Test
    void processThatIsClosedWhileSuspendedExcludesOthersUntilItsSessionEnds() throws Exception {
        InMemoryLockRegistry leaving = join(LONG);
        LockHandle handle = leaving.lock(NAME).acquire();
        LockHandle released = leaving.lock("/other").acquire();
        leaving.suspend();
        released.close();

        leaving.close();

        assertThat(handle.state()).isEqualTo(LockState.SUSPENDED);
        assertThat(there.lock(NAME).tryAcquire()).isEmpty();
        leaving.loseSession();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        there.lock(NAME).tryAcquire().orElseThrow().close();
        leaving.resume();
        Actor.join(released.released().toCompletableFuture());
    }
}
