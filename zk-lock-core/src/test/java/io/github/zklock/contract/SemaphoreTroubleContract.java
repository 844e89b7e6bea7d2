package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the holders of permits are told when some are lost, and when the cluster cannot be reached. */
public abstract class SemaphoreTroubleContract extends Contract {

    @Test
    void lossOfAPermitIsToldToItsHolderOnly() throws Exception {
        LockHandle first = semaphore(3).acquire();
        LockHandle second = semaphore(3).acquire();
        LockHandle remote = semaphoreOf(join(), 3).acquire();
        AtomicInteger told = new AtomicInteger();
        List.of(first, second, remote).forEach(each -> each.onLost(told::incrementAndGet));
        List<Seat> queue = registry().inspector().queue(name());

        assertThat(registry().inspector().evict(name(), queue.get(1).id())).isTrue();

        await().until(() -> second.state() == LockState.LOST);
        await().until(() -> told.get() == 1);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(second::close)
                .withMessageContaining("'" + name() + "' was lost");
        assertThat(first.isHeld()).isTrue();
        assertThat(remote.isHeld()).isTrue();
        assertThat(semaphore(3).availablePermits()).isEqualTo(1);
        first.close();
        remote.close();
        assertThat(told).hasValue(1);
    }

    @Test
    void lossOfAPermitLetsTheNextIn() throws Exception {
        Member other = join();
        LockHandle first = semaphore(2).acquire();
        LockHandle second = semaphore(2).acquire();
        CompletableFuture<LockHandle> wait = semaphoreOf(other, 2).acquireAsync();
        awaitQueued(3);

        cluster().forceOut(name());

        LockHandle next = Actor.join(wait);
        await().until(() -> first.state() == LockState.LOST);
        assertThat(second.isHeld()).isTrue();
        assertThat(semaphore(2).tryAcquire()).isEmpty();
        second.close();
        next.close();
    }

    @Test
    void evictionSparesThoseWhoWait() throws Exception {
        LockHandle holder = semaphore(2).permits(2).acquire();
        CompletableFuture<LockHandle> wait = semaphoreOf(join(), 2).acquireAsync();
        awaitQueued(2);
        List<Seat> queue = registry().inspector().queue(name());

        assertThat(registry().inspector().evict(name(), queue.get(1).id())).isFalse();

        assertThat(holder.isHeld()).isTrue();
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void lossOfTheSessionIsALossOfAllPermitsOfItsProcess() throws Exception {
        Member other = join();
        LockHandle first = semaphore(3).acquire();
        LockHandle second = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> next = semaphoreOf(other, 3).permits(3).acquireAsync();
        awaitQueued(3);

        member().expireSession();

        LockHandle all = Actor.join(next);
        await().until(() -> first.state() == LockState.LOST && second.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(first::close);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(second::close);
        assertThat(all.isHeld()).isTrue();
        all.close();
    }

    @Test
    void sessionThatIsLostWhileWaitingQueuesAnew() throws Exception {
        LockHandle holder = semaphoreOf(join(), 2).acquire();
        CompletableFuture<LockHandle> wait = semaphore(2).permits(2).acquireAsync();
        awaitQueued(2);
        String before = registry().inspector().session().id();

        member().expireSession();

        await().until(() -> {
            String now = registry().inspector().session().id();
            return !now.isEmpty() && !now.equals(before) && cluster().queued(name()) == 2;
        });
        assertThat(wait.isDone()).isFalse();
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void everyTimedFormSaysInAnOutageThatTheClusterCouldNotBeAsked() {
        cluster().outage();
        // while the connection counts as there, those who wait already are reason enough for one who only asks
        await().until(() -> !registry().inspector().session().connected());
        List<Callable<?>> forms = List.of(
                () -> semaphore(2).acquire(SHORT),
                () -> semaphore(2).permits(2).tryAcquire(SHORT),
                () -> semaphore(2).tryAcquire(),
                () -> Actor.join(semaphore(2).permits(2).acquireAsync(SHORT)),
                () -> semaphore(2).availablePermits());

        // all at once, as those that only ask take the connection timeout each
        List<Future<?>> attempts = new ArrayList<>();
        for (Callable<?> form : forms) {
            attempts.add(actor("form " + attempts.size()).start(form));
        }

        assertThat(attempts)
                .allSatisfy(attempt -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> Actor.join(attempt))
                        .withMessageContaining("'" + name() + "'"));
        assertThat(registry().inspector().awaited()).isEmpty();
    }

    @Test
    void waitsBehindAHolderGoOnAfterAnOutage() throws Exception {
        LockHandle holder =
                semaphoreOf(join(Options.none().sessionTimeout(LONG)), 2).acquire();
        CompletableFuture<LockHandle> large = semaphore(2).permits(2).acquireAsync();
        CompletableFuture<LockHandle> small = semaphore(2).permits(1).acquireAsync(LONG);
        awaitWaiters(2);
        cluster().outage();
        cluster().heal();
        CompletableFuture<Void> two = large.thenAccept(LockHandle::close);
        CompletableFuture<Void> one = small.thenAccept(LockHandle::close);

        holder.close();

        Actor.join(two);
        Actor.join(one);
    }

    @Test
    void closeDuringAnOutageDoesNotThrowAndTheReleaseIsMadeUpFor() throws Exception {
        ClusterSemaphore lasting = semaphoreOf(join(Options.none().sessionTimeout(LONG)), 3);
        LockHandle two = lasting.permits(2).acquire();
        LockHandle one = lasting.acquire();
        cluster().outage();

        two.close();

        assertThat(two.state()).isEqualTo(LockState.RELEASED);
        cluster().heal();
        Actor.join(two.released().toCompletableFuture());
        semaphore(3).permits(2).acquire(LONG).close();
        one.close();
    }

    @Test
    void proofsRunOutDuringAnOutage() throws Exception {
        Member doubtful = join(Options.none().sessionTimeout(Duration.ofSeconds(1)));
        List<LockHandle> permits = List.of(
                semaphoreOf(doubtful, 3).acquire(),
                semaphoreOf(doubtful, 3).permits(2).acquire());

        cluster().outage();

        await().until(() -> permits.stream().noneMatch(LockHandle::isHeld));
        assertThat(permits).allSatisfy(each -> {
            assertThat(each.state()).isIn(LockState.SUSPENDED, LockState.LOST);
            assertThat(each.remaining()).isZero();
        });
        cluster().heal();
        await().until(() -> permits.stream().allMatch(each -> each.state() == LockState.LOST || each.isHeld()));
    }

    @Test
    void maximumHoldEndsAnOwnershipOfPermits() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        LockHandle handle =
                semaphoreOf(join(Options.none().maxHold(SHORT)), 2).permits(2).acquire();
        handle.onLost(told::countDown);

        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("maximum hold");
        semaphore(2).permits(2).acquire(LONG).close();
    }

    @Test
    void closingTheRegistryTellsHoldersAndEndsWaits() throws Exception {
        Member leaving = join();
        LockHandle here = semaphore(3).acquire();
        LockHandle there = semaphoreOf(leaving, 3).acquire();
        CompletableFuture<LockHandle> wait = semaphoreOf(leaving, 3).permits(2).acquireAsync();
        awaitQueued(3);

        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
        assertThat(there.state()).isEqualTo(LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(there::close);
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> semaphoreOf(leaving, 3).tryAcquire());
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> Actor.join(semaphoreOf(leaving, 3).acquireAsync()));
        try (LockHandle rest = semaphore(3).permits(2).acquire(LONG)) {
            assertThat(rest.isHeld()).isTrue();
            assertThat(here.isHeld()).isTrue();
        }
        here.close();
    }
}
