package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.Registration;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What listeners are told, when, and on which thread. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class EventContract extends Contract {

    private static final int WAITERS = 8;

    private final Recorder recorder = new Recorder();

    private Recorder recording() {
        recorder.events.clear();
        registry().addListener(recorder);
        return recorder;
    }

    @Test
    void grantAndReleaseAreToldInOrderWithTheirToken() throws Exception {
        Recorder told = recording();

        LockHandle handle = lock().acquire();
        FencingToken token = handle.fencingToken();
        handle.close();

        LockEvent.Released released = told.await(LockEvent.Released.class);
        LockEvent.Acquired acquired = told.await(LockEvent.Acquired.class);
        assertThat(acquired.name()).isEqualTo(LockName.of(name()));
        assertThat(acquired.token()).isEqualTo(token);
        assertThat(acquired.waited()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(released.token()).isEqualTo(token);
        assertThat(released.held()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(told.events).containsSubsequence(acquired, released);
    }

    @Test
    void waitIsToldBeforeItsGrant() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        Recorder told = recording();
        Future<LockHandle> wait = actor("waiter").start(() -> lock().acquire());

        LockEvent.Queued queued = told.await(LockEvent.Queued.class);
        holder.close();
        Actor.join(wait).close();

        LockEvent.Acquired acquired = told.await(LockEvent.Acquired.class);
        assertThat(told.events).containsSubsequence(queued, acquired);
    }

    @Test
    void turnOnASeatThatHasServedIsToldAsSuch() throws Exception {
        LockHandle first = lock().acquire();
        Recorder told = recording();
        Future<LockHandle> wait = actor("waiter").start(() -> lock().acquire());
        told.await(LockEvent.Queued.class);

        first.close();
        LockHandle second = Actor.join(wait);
        second.close();

        // the first grant may be reported as late as this
        await().until(() -> told.all(LockEvent.Acquired.class)
                .anyMatch(acquired -> acquired.token().equals(second.fencingToken()) && acquired.keptSeat()));
    }

    /** Waiters that queue together get seats of one transaction, whose tokens differ in the bits of the turn. */
    @Test
    void turnUnderStrictOrderIsToldToHaveASeatOfItsOwn() {
        Member strict = join(Options.none().policy(name -> LockPolicy.defaults().handOff(HandOff.strict())));
        Recorder told = new Recorder();
        strict.registry().addListener(told);
        List<CompletableFuture<Void>> turns = IntStream.range(0, WAITERS)
                .mapToObj(i -> lockOf(strict).acquireAsync().thenAccept(LockHandle::close))
                .toList();

        turns.forEach(Actor::join);
        await().until(() -> told.all(LockEvent.Acquired.class).count() == WAITERS);
        assertThat(told.all(LockEvent.Acquired.class)).noneMatch(LockEvent.Acquired::keptSeat);
    }

    @Test
    void reentryIsNoEvent() {
        Recorder told = recording();

        lock().lock();
        lock().lock();
        lock().unlock();
        lock().unlock();

        told.await(LockEvent.Released.class);
        assertThat(told.all(LockEvent.Acquired.class)).hasSize(1);
        assertThat(told.all(LockEvent.Released.class)).hasSize(1);
    }

    @Test
    void waitThatEndsByContentionIsTold() throws Exception {
        try (LockHandle holder = lockOf(join()).acquire()) {
            Recorder told = recording();

            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> lock().acquire(BUSY));

            LockEvent.TimedOut late = told.await(LockEvent.TimedOut.class);
            assertThat(late.name()).isEqualTo(holder.name());
            assertThat(late.waited()).isGreaterThanOrEqualTo(BUSY);
        }
    }

    @Test
    void waitThatEndsByAnOutageIsTold() {
        Recorder told = recording();
        cluster().outage();

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> lock().acquire(SHORT));

        assertThat(told.await(LockEvent.Unavailable.class).waited()).isGreaterThanOrEqualTo(SHORT);
        assertThat(told.all(LockEvent.TimedOut.class)).isEmpty();
    }

    @Test
    void lossIsToldWithItsReason() throws Exception {
        Recorder told = recording();
        LockHandle handle = lock().acquire();

        forceOut(handle);

        LockEvent.Lost lost = told.await(LockEvent.Lost.class);
        assertThat(lost.token()).isEqualTo(handle.fencingToken());
        assertThat(lost.reason()).isNotBlank();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        assertThat(told.all(LockEvent.Released.class)).isEmpty();
    }

    @Test
    void doubtIsToldOnce() throws Exception {
        Recorder told = new Recorder();
        Member doubtful =
                join(Options.none().sessionTimeout(Duration.ofSeconds(1)).listener(told));
        LockHandle handle = lockOf(doubtful).acquire();

        cluster().outage();

        await().until(() -> !handle.isHeld());
        await().until(() -> told.events.stream()
                .anyMatch(event -> event instanceof LockEvent.Suspended || event instanceof LockEvent.Lost));
        // a stall before the outage may have suspended and resumed the lock, too
        assertThat(told.all(LockEvent.Suspended.class))
                .hasSizeLessThanOrEqualTo(
                        (int) told.all(LockEvent.Resumed.class).count() + 1);
    }

    @Test
    void longHoldIsToldOnceWithItsHolder() throws Exception {
        Recorder told = new Recorder();
        Member watched = join(Options.none().holdWarning(SHORT).listener(told));
        Actor thread = actor("long holder");
        thread.act(() -> lockOf(watched).lock());

        LockEvent.HeldLong warning = told.await(LockEvent.HeldLong.class);

        assertThat(warning.holder()).isEqualTo("long holder");
        assertThat(warning.held()).isGreaterThanOrEqualTo(SHORT);
        thread.act(() -> lockOf(watched).unlock());
        told.await(LockEvent.Released.class);
        assertThat(told.all(LockEvent.HeldLong.class)).hasSize(1);
    }

    @Test
    void handleThatIsDroppedWithoutBeingClosedIsTold() throws Exception {
        Recorder told = recording();
        FencingToken token = dropHandle();

        await().until(() -> {
            System.gc();
            return told.all(LockEvent.Leaked.class).findAny().isPresent();
        });

        assertThat(told.await(LockEvent.Leaked.class).token()).isEqualTo(token);
        assertThat(lock().tryAcquire()).isEmpty();
    }

    @Test
    void handleOfAFutureThatIsDroppedWithoutBeingClosedIsTold() throws Exception {
        Recorder told = recording();
        FencingToken token = Actor.join(lock().acquireAsync()).fencingToken();

        await().until(() -> {
            System.gc();
            return told.all(LockEvent.Leaked.class).findAny().isPresent();
        });

        assertThat(told.await(LockEvent.Leaked.class).token()).isEqualTo(token);
    }

    @Test
    void listenerIsNeverCalledByAnEventThread() throws Exception {
        Recorder told = recording();

        LockHandle handle = lock().acquire();
        forceOut(handle);

        told.await(LockEvent.Lost.class);
        assertThat(told.threads).noneMatch(cluster()::isEventThread);
    }

    @Test
    void listenerThatBlocksHoldsNobodyUpAndLosesEvents() throws Exception {
        int cycles = 1_000;
        CountDownLatch end = new CountDownLatch(1);
        List<LockEvent> slow = new CopyOnWriteArrayList<>();
        registry().addListener(event -> {
            awaitLatch(end);
            slow.add(event);
        });
        Recorder quick = recording();

        for (int i = 1; i <= cycles; i++) {
            LockHandle handle = lock().acquire();
            handle.close();
            if (i % 100 == 0) {
                // only the slow one is to be slower than its events, however fast the registry is
                long done = i;
                await().until(() -> quick.all(LockEvent.Released.class).count() == done);
            }
        }

        end.countDown();
        // so that there is room for the last events
        await().until(() -> slow.size() > 100);
        LockHandle last = lock().acquire();
        last.close();
        await().until(() -> slow.stream().anyMatch(event -> isReleaseOf(last, event)));
        await().until(() -> quick.events.stream().anyMatch(event -> isReleaseOf(last, event)));
        assertThat(slow).hasSizeLessThan(quick.events.size());
        assertThat(quick.events).containsSubsequence(slow);
    }

    @Test
    void listenerThatThrowsIsToldOfTheNextEventAllTheSame() throws Exception {
        Recorder told = new Recorder();
        registry().addListener(event -> {
            told.onEvent(event);
            throw new IllegalStateException("on purpose");
        });

        lock().acquire().close();

        told.await(LockEvent.Acquired.class);
        told.await(LockEvent.Released.class);
    }

    @Test
    void listenerThatWasTakenOutIsToldNothing() throws Exception {
        Recorder out = new Recorder();
        Registration registration = registry().addListener(out);
        Recorder told = recording();

        registration.close();
        registration.close();
        lock().acquire().close();

        told.await(LockEvent.Released.class);
        assertThat(out.events).isEmpty();
    }

    @Test
    void listenerMayUseTheRegistry() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        String other = name() + "/other";
        registry().addListener(event -> {
            if (event instanceof LockEvent.Acquired acquired
                    && acquired.name().value().equals(name())) {
                registry().lock(other).lock();
                registry().lock(other).unlock();
                done.countDown();
            }
        });

        lock().acquire().close();

        assertThat(done.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private FencingToken dropHandle() throws InterruptedException {
        return lock().acquire().fencingToken();
    }

    private static boolean isReleaseOf(LockHandle handle, LockEvent event) {
        return event instanceof LockEvent.Released released && released.token().equals(handle.fencingToken());
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
