package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
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
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What readers and writers are told when a lock is lost, and when the cluster cannot be reached. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class ReadWriteTroubleContract extends Contract {

    @Test
    void lossOfTheSessionIsToldToReadersAndWritersAndLetsTheNextIn() throws Exception {
        Member other = join();
        writing().lock();
        LockHandle downgraded = reading().acquire();
        LockHandle written = LockContext.current(name()).orElseThrow();
        LockHandle reader =
                registry().readWriteLock(name() + "/read").readLock().acquire();
        CompletableFuture<LockHandle> next = writingOf(other).acquireAsync();
        CompletableFuture<LockHandle> nextOfRead =
                other.registry().readWriteLock(name() + "/read").writeLock().acquireAsync();

        member().expireSession();

        Actor.join(next).close();
        Actor.join(nextOfRead).close();
        await().until(() -> Stream.of(written, downgraded, reader).allMatch(each -> each.state() == LockState.LOST));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> writing().unlock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(downgraded::close);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(reader::close);
    }

    @Test
    void lossOfAReaderSparesTheReadersOfOtherProcesses() throws Exception {
        Member other = join();
        LockHandle lost = reading().acquire();
        LockHandle spared = readingOf(other).acquire();

        forceOut(lost);

        assertThat(lost.state()).isEqualTo(LockState.LOST);
        assertThat(spared.isHeld()).isTrue();
        assertThat(writing().tryAcquire()).isEmpty();
        spared.close();
    }

    @Test
    void nestedRequestAfterALossSaysThatTheLockIsLost() {
        for (ClusterLock each : List.of(reading(), writing())) {
            each.lock();
            forceOut(LockContext.current(name()).orElseThrow());

            assertThatExceptionOfType(LockLostException.class).isThrownBy(each::tryLock);
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> each.acquire());
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> Actor.join(each.acquireAsync()));
            assertThatExceptionOfType(LockLostException.class).isThrownBy(each::unlock);
            each.lock();
            each.unlock();
        }
    }

    @Test
    void writerThatHasLostTheLockCannotBecomeAReader() {
        writing().lock();
        forceOut(LockContext.current(name()).orElseThrow());

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> reading().tryLock());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> reading().acquire(LONG));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> writing().unlock());
        reading().lock();
        reading().unlock();
    }

    @Test
    void readerThatHasLostTheLockIsToldSoWhenItAsksToWrite() {
        reading().lock();
        forceOut(LockContext.current(name()).orElseThrow());

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> writing().tryLock());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> writing().acquire(LONG));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> reading().unlock());
        writing().lock();
        writing().unlock();
    }

    @Test
    void lossAfterADowngradeIsToldToTheReader() throws Exception {
        writing().lock();
        LockHandle read = reading().acquire();
        writing().unlock();
        await().until(() -> cluster().queued(name()) == 1);

        forceOut(read);

        assertThatExceptionOfType(LockLostException.class).isThrownBy(read::close);
    }

    @Test
    void evictionOfOneReaderIsALossToItsProcessOnly() throws Exception {
        Member other = join();
        LockHandle first = reading().acquire();
        LockHandle second = readingOf(other).acquire();
        List<Seat> queue = registry().inspector().queue(name());

        assertThat(registry().inspector().evict(name(), queue.get(1).id())).isTrue();

        await().until(() -> second.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(second::close);
        assertThat(first.isHeld()).isTrue();
        first.close();
    }

    @Test
    void evictionSparesAWriterThatWaits() throws Exception {
        LockHandle reader = reading().acquire();
        CompletableFuture<LockHandle> writer = writingOf(join()).acquireAsync();
        awaitQueued(2);
        List<Seat> queue = registry().inspector().queue(name());

        assertThat(registry().inspector().evict(name(), queue.get(1).id())).isFalse();

        assertThat(reader.isHeld()).isTrue();
        reader.close();
        Actor.join(writer).close();
    }

    @Test
    void everyTimedFormSaysInAnOutageThatTheClusterCouldNotBeAsked() {
        cluster().outage();
        // while the connection counts as there, those who wait already are reason enough for one who only asks
        await().until(() -> !registry().inspector().session().connected());
        List<Future<?>> attempts = new ArrayList<>();
        for (ClusterLock each : List.of(reading(), writing())) {
            List<Callable<?>> forms = List.of(
                    () -> each.acquire(SHORT),
                    () -> each.tryAcquire(SHORT),
                    each::tryAcquire,
                    each::tryLock,
                    () -> Actor.join(each.acquireAsync(SHORT)));
            // all at once, as those that only ask take the connection timeout each
            for (Callable<?> form : forms) {
                attempts.add(actor("form " + attempts.size()).start(form));
            }
        }

        assertThat(attempts)
                .allSatisfy(attempt -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> Actor.join(attempt))
                        .withMessageContaining("'" + name() + "' not acquired"));
        assertThat(registry().inspector().awaited()).isEmpty();
    }

    @Test
    void waitsGoOnAfterAnOutage() throws Exception {
        LockHandle holder = writingOf(join(Options.none().sessionTimeout(LONG))).acquire();
        CompletableFuture<LockHandle> reader = reading().acquireAsync();
        CompletableFuture<LockHandle> writer = writing().acquireAsync(LONG);
        awaitWaiters(2);
        cluster().outage();
        cluster().heal();
        CompletableFuture<Void> read = reader.thenAccept(LockHandle::close);
        CompletableFuture<Void> written = writer.thenAccept(LockHandle::close);

        holder.close();

        Actor.join(read);
        Actor.join(written);
    }

    @Test
    void proofsRunOutDuringAnOutage() throws Exception {
        Options quick = Options.none().sessionTimeout(Duration.ofSeconds(5));
        LockHandle writer = writingOf(join(quick)).acquire();
        Member reads = join(quick);
        String other = name() + "/read";
        LockHandle reader = reads.registry().readWriteLock(other).readLock().acquire();
        LockHandle second = actor("second")
                .run(() -> reads.registry().readWriteLock(other).readLock().acquire());
        List<LockHandle> all = List.of(writer, reader, second);

        cluster().outage();

        await().until(() -> all.stream().noneMatch(LockHandle::isHeld));
        assertThat(all).extracting(LockHandle::state).containsAnyOf(LockState.SUSPENDED, LockState.LOST);
        cluster().heal();
        await().until(() -> all.stream().allMatch(each -> each.state() == LockState.LOST || each.isHeld()));
        await().until(() -> reader.state() == second.state());
    }

    @Test
    void closingTheRegistryTellsHoldersAndEndsWaits() throws Exception {
        Member leaving = join();
        LockHandle writer = writing().acquire();
        CompletableFuture<LockHandle> reads = readingOf(leaving).acquireAsync();
        CompletableFuture<LockHandle> writes = writingOf(leaving).acquireAsync();
        awaitQueuedBehind(1);
        String held = name() + "/held";
        LockHandle reader = leaving.registry().readWriteLock(held).readLock().acquire();

        leaving.close();

        for (CompletableFuture<LockHandle> wait : List.of(reads, writes)) {
            assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
        }
        assertThat(reader.state()).isEqualTo(LockState.LOST);
        assertThatExceptionOfType(LockRegistryClosedException.class)
                .isThrownBy(() -> readingOf(leaving).tryAcquire());
        registry().readWriteLock(held).writeLock().acquire(LONG).close();
        awaitQueued(1);
        writer.close();
    }

    private void awaitQueuedBehind(int holders) {
        await().until(() -> cluster().queued(name()) > holders);
    }
}
