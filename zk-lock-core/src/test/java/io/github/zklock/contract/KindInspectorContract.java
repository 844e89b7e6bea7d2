package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What inspector and listeners tell of readers, writers and permits. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class KindInspectorContract extends Contract {

    private LockInspector inspector() {
        return registry().inspector();
    }

    @Test
    void whatIsHeldIsToldWithKindAndPermits() throws Exception {
        try (LockHandle writer = writing().acquire();
                LockHandle reader =
                        registry().readWriteLock(name() + "/read").readLock().acquire();
                LockHandle permits =
                        registry().semaphore(name() + "/permits", 3).permits(2).acquire()) {

            List<Held> held = inspector().held();

            assertThat(held)
                    .extracting(Held::name, Held::kind, Held::permits, Held::token)
                    .containsExactly(
                            Tuple.tuple(writer.name(), LockKind.WRITE, 1, writer.fencingToken()),
                            Tuple.tuple(reader.name(), LockKind.READ, 1, reader.fencingToken()),
                            Tuple.tuple(permits.name(), LockKind.PERMITS, 2, permits.fencingToken()));
            assertThat(held).allSatisfy(each -> {
                assertThat(each.state()).isEqualTo(LockState.HELD);
                assertThat(each.seatId()).isNotBlank();
                assertThat(each.holds()).isEqualTo(1);
            });
        }
        assertThat(inspector().held()).isEmpty();
    }

    @Test
    void queueShowsTheNumberOfPermitsOfEachRequest() throws Exception {
        try (LockHandle first = semaphore(3).permits(2).acquire();
                LockHandle second = semaphoreOf(join(), 5).acquire()) {

            assertThat(inspector().queue(name()))
                    .extracting(Seat::permits, Seat::of)
                    .containsExactly(Tuple.tuple(2, 3), Tuple.tuple(1, 5));
            assertThat(List.of(first, second)).allMatch(LockHandle::isHeld);
        }
        try (LockHandle exclusive = registry().lock(name() + "/exclusive").acquire()) {
            assertThat(inspector().queue(exclusive.name().value()))
                    .extracting(Seat::permits, Seat::of)
                    .containsExactly(Tuple.tuple(1, 1));
        }
    }

    @Test
    void readersOfOneProcessAreToldWithTheirHolds() throws Exception {
        Actor second = actor("second reader");
        reading().lock();
        LockHandle nested = reading().acquire();
        second.act(() -> reading().lock());

        List<Held> held = inspector().held();

        assertThat(held).extracting(Held::kind).containsOnly(LockKind.READ);
        assertThat(held).extracting(Held::holder).contains("second reader");
        assertThat(held.stream().mapToInt(Held::holds).sum()).isEqualTo(3);
        second.act(() -> reading().unlock());
        nested.close();
        reading().unlock();
        assertThat(inspector().held()).isEmpty();
    }

    @Test
    void waitsAreToldWithKindAndPermits() throws Exception {
        LockHandle writer = writing().acquire();
        LockHandle permits =
                registry().semaphore(name() + "/permits", 3).permits(3).acquire();
        CompletableFuture<LockHandle> reads = reading().acquireAsync();
        CompletableFuture<LockHandle> writes = writing().acquireAsync();
        CompletableFuture<LockHandle> wishes =
                registry().semaphore(name() + "/permits", 3).permits(2).acquireAsync();
        awaitWaiters(3);

        List<Awaited> awaited = inspector().awaited();

        assertThat(awaited)
                .extracting(Awaited::name, Awaited::kind, Awaited::permits)
                .containsExactly(
                        Tuple.tuple(writer.name(), LockKind.READ, 1),
                        Tuple.tuple(writer.name(), LockKind.WRITE, 1),
                        Tuple.tuple(permits.name(), LockKind.PERMITS, 2));
        writer.close();
        permits.close();
        Actor.join(reads).close();
        Actor.join(writes).close();
        Actor.join(wishes).close();
    }

    @Test
    void queueTellsWhichReadersAndWritersHold() throws Exception {
        Member other = join();
        LockHandle reader = reading().acquire();
        LockHandle beside = readingOf(other).acquire();
        CompletableFuture<LockHandle> writes = writingOf(other).acquireAsync();
        awaitQueued(3);
        CompletableFuture<LockHandle> late = readingOf(join()).acquireAsync();
        awaitQueued(4);

        List<Seat> queue = inspector().queue(name());

        assertThat(queue)
                .extracting(Seat::kind, Seat::permits, Seat::holds)
                .containsExactly(
                        Tuple.tuple(LockKind.READ, 1, true),
                        Tuple.tuple(LockKind.READ, 1, true),
                        Tuple.tuple(LockKind.WRITE, 1, false),
                        Tuple.tuple(LockKind.READ, 1, false));
        assertThat(queue.get(0).id()).isEqualTo(inspector().held().get(0).seatId());
        assertThat(queue).allSatisfy(seat -> assertThat(seat.owner()).isPresent());
        reader.close();
        beside.close();
        Actor.join(writes).close();
        Actor.join(late).close();
    }

    @Test
    void queueTellsWhichWishesForPermitsAreFulfilled() throws Exception {
        Member other = join();
        LockHandle two = semaphore(3).permits(2).acquire();
        CompletableFuture<LockHandle> large = semaphoreOf(other, 3).permits(3).acquireAsync();
        awaitQueued(2);
        CompletableFuture<LockHandle> small = semaphoreOf(join(), 3).acquireAsync();
        awaitQueued(3);

        List<Seat> queue = inspector().queue(name());

        assertThat(queue).extracting(Seat::kind).containsOnly(LockKind.PERMITS);
        assertThat(queue)
                .extracting(Seat::permits, Seat::holds)
                .containsExactly(Tuple.tuple(2, true), Tuple.tuple(3, false), Tuple.tuple(1, false));
        two.close();
        Actor.join(large).close();
        Actor.join(small).close();
    }

    @Test
    void namesAreToldWhateverTheirKind() throws Exception {
        registry().lock(name() + "/exclusive").acquire().close();
        registry().readWriteLock(name() + "/pair").readLock().acquire().close();
        registry().semaphore(name() + "/semaphore", 2).acquire().close();

        List<LockName> names = inspector().names(name(), "", 10);

        assertThat(names)
                .extracting(LockName::value)
                .contains(name() + "/exclusive", name() + "/pair", name() + "/semaphore");
    }

    @Test
    void grantsReleasesAndVainWaitsAreToldToListeners() throws Exception {
        List<LockEvent> told = new CopyOnWriteArrayList<>();
        registry().addListener(told::add);

        LockHandle permits = semaphore(2).permits(2).acquire();
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> semaphore(2).acquire(SHORT));
        permits.close();
        awaitQueued(0);
        ClusterLock write = registry().readWriteLock(name() + "/pair").writeLock();
        LockHandle writer = write.acquire();
        writer.close();

        await().until(() -> told.stream()
                .anyMatch(event -> event instanceof LockEvent.Released released
                        && released.token().equals(writer.fencingToken())
                        && released.name().equals(write.name())));
        assertThat(told)
                .extracting(event -> event.getClass().getSimpleName(), LockEvent::name)
                .containsSubsequence(
                        Tuple.tuple("Acquired", permits.name()),
                        Tuple.tuple("TimedOut", permits.name()),
                        Tuple.tuple("Released", permits.name()),
                        Tuple.tuple("Acquired", write.name()),
                        Tuple.tuple("Released", write.name()));
    }

    @Test
    void lossIsToldToListenersForEachReader() throws Exception {
        List<LockEvent> told = new CopyOnWriteArrayList<>();
        registry().addListener(told::add);
        LockHandle first = reading().acquire();
        LockHandle second = actor("second").run(() -> reading().acquire());

        while (cluster().queued(name()) > 0) {
            cluster().forceOut(name());
        }

        await().until(() ->
                told.stream().filter(LockEvent.Lost.class::isInstance).count() == 2);
        assertThat(List.of(first, second)).allMatch(each -> each.state().isFinal());
    }
}
