package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** In which order readers and writers are served, and how their waits end. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class ReadWriteOrderContract extends Contract {

    @Test
    void readerThatComesAfterAWaitingWriterOfItsProcessWaitsBehindIt() throws Exception {
        LockHandle reader = reading().acquire();
        CompletableFuture<LockHandle> writer = writing().acquireAsync();
        awaitWaiters(1);
        assertThat(reading().tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> late = reading().acquireAsync();
        awaitWaiters(2);

        reader.close();

        LockHandle written = Actor.join(writer);
        assertThat(late.isDone()).isFalse();
        assertThat(reading().tryAcquire()).isEmpty();
        written.close();
        Actor.join(late).close();
    }

    @Test
    void readerThatComesAfterAWaitingWriterOfAnotherProcessWaitsBehindIt() throws Exception {
        Member writes = join();
        Member late = join();
        LockHandle reader = reading().acquire();
        CompletableFuture<LockHandle> writer = writingOf(writes).acquireAsync();
        awaitQueued(2);
        assertThat(readingOf(late).tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> behind = readingOf(late).acquireAsync();
        awaitQueued(3);

        reader.close();

        LockHandle written = Actor.join(writer);
        assertThat(behind.isDone()).isFalse();
        assertThat(readingOf(late).tryAcquire()).isEmpty();
        written.close();
        Actor.join(behind).close();
    }

    @Test
    void readersBehindAWriterAreServedTogetherWhenItLeaves() throws Exception {
        Member other = join();
        LockHandle writer = writing().acquire();
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waits.add(readingOf(i % 2 == 0 ? member() : other).acquireAsync());
        }
        awaitWaiters(2);
        await().until(() -> cluster().queued(name()) >= 2
                && other.registry().inspector().awaited().size() == 2);

        writer.close();

        List<LockHandle> readers = waits.stream().map(Actor::join).toList();
        assertThat(readers).allMatch(LockHandle::isHeld);
        readers.forEach(LockHandle::close);
    }

    @Test
    void writerIsServedWhenTheLastReaderLeaves() throws Exception {
        Member other = join();
        LockHandle local = reading().acquire();
        LockHandle another = actor("other thread").run(() -> reading().acquire());
        LockHandle remote = readingOf(other).acquire();
        int readers = cluster().queued(name());
        CompletableFuture<LockHandle> writer = writingOf(join()).acquireAsync();
        awaitQueued(readers + 1);

        local.close();
        remote.close();
        assertThat(writer.isDone()).isFalse();
        assertThat(another.isHeld()).isTrue();
        another.close();

        Actor.join(writer).close();
    }

    @Test
    void writerThatGivesUpLetsTheReadersBehindItIn() throws Exception {
        Member other = join();
        LockHandle reader = reading().acquire();
        for (Member writes : List.of(member(), other)) {
            CompletableFuture<LockHandle> writer = writingOf(writes).acquireAsync();
            await().until(() -> writes.registry().inspector().awaited().size() == 1
                    && (writes == member() || cluster().queued(name()) == 2));
            CompletableFuture<LockHandle> behind = readingOf(writes).acquireAsync();
            await().until(() -> writes.registry().inspector().awaited().size() == 2);

            writer.cancel(false);

            LockHandle read = Actor.join(behind);
            assertThat(reader.isHeld()).isTrue();
            read.close();
        }
        reader.close();
    }

    @Test
    void readerThatGivesUpKeepsThePlaceOfThoseBesideIt() throws Exception {
        Member other = join();
        LockHandle writer = writingOf(other).acquire();
        CompletableFuture<LockHandle> first = reading().acquireAsync();
        awaitQueued(2);
        CompletableFuture<LockHandle> second = reading().acquireAsync();
        awaitWaiters(2);

        first.cancel(false);

        awaitWaiters(1);
        assertThat(second.isDone()).isFalse();
        writer.close();
        Actor.join(second).close();
    }

    @Test
    void readersOfOneProcessCannotKeepAnotherProcessesWriterOut() throws Exception {
        AtomicBoolean written = new AtomicBoolean();
        LockHandle first = reading().acquire();
        CompletableFuture<Void> writer = writingOf(join()).acquireAsync().thenAccept(handle -> {
            written.set(true);
            handle.close();
        });
        awaitQueued(2);

        LockHandle current = first;
        while (!written.get()) {
            // the next reader comes before the one before it goes: as long as that works, somebody reads all the time
            Optional<LockHandle> next = reading().tryAcquire();
            current.close();
            current = next.orElse(current);
        }
        current.close();

        Actor.join(writer);
    }

    @Test
    void writersOfOneProcessCannotKeepAnotherProcessesReaderOut() throws Exception {
        AtomicBoolean read = new AtomicBoolean();
        LockHandle first = writing().acquire();
        CompletableFuture<Void> reader = readingOf(join()).acquireAsync().thenAccept(handle -> {
            read.set(true);
            handle.close();
        });
        awaitQueued(2);

        LockHandle current = first;
        while (!read.get()) {
            // the next writer waits before the one before it goes
            CompletableFuture<LockHandle> next = writing().acquireAsync();
            current.close();
            current = Actor.join(next);
        }
        current.close();

        Actor.join(reader);
    }

    @Test
    void waitsEndAtTheirDeadlinesAndLeaveTheQueue() throws Exception {
        Member other = join();
        try (LockHandle writer = writingOf(other).acquire()) {
            assertEndsInVain(reading());
            assertEndsInVain(writing());
            assertThat(writer.isHeld()).isTrue();
        }
        try (LockHandle reader = readingOf(other).acquire(LONG)) {
            assertEndsInVain(writing());
            assertThat(reader.isHeld()).isTrue();
            reading().acquire(LONG).close();
        }
    }

    private void assertEndsInVain(ClusterLock wanted) {
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> wanted.acquire(Duration.ZERO));
        // those that wait all at once, as each takes its time
        Future<?> acquire = actor("acquire").start(() -> wanted.acquire(BUSY));
        Future<Optional<LockHandle>> tryAcquire = actor("tryAcquire").start(() -> wanted.tryAcquire(BUSY));
        Future<Boolean> tryLock = actor("tryLock").start(() -> wanted.tryLock(BUSY.toMillis(), TimeUnit.MILLISECONDS));
        Future<LockHandle> async = wanted.acquireAsync(BUSY);
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> Actor.join(acquire))
                .withMessageContaining("'" + name() + "' not acquired");
        assertThat(Actor.join(tryAcquire)).isEmpty();
        assertThat(Actor.join(tryLock)).isFalse();
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> Actor.join(async));
        awaitQueued(1);
        assertThat(registry().inspector().awaited()).isEmpty();
    }

    @Test
    void interruptedWaitersLeaveTheQueue() throws Exception {
        Member other = join();
        LockHandle holder = writingOf(other).acquire();
        for (ClusterLock wanted : List.of(reading(), writing())) {
            Actor thread = actor("waiter to " + wanted.kind());
            Future<?> wait = thread.startAct(wanted::lockInterruptibly);
            awaitQueued(2);

            thread.interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Actor.join(wait));
            awaitQueued(1);
        }
        assertThat(registry().inspector().awaited()).isEmpty();
        holder.close();
    }

    @Test
    void interruptedThreadIsRefusedBeforeAnythingElse() {
        Actor thread = actor("interrupted");
        for (ClusterLock wanted : List.of(reading(), writing())) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> thread.run(() -> {
                        Thread.currentThread().interrupt();
                        return wanted.acquire();
                    }));
        }
        assertThat(registry().inspector().held()).isEmpty();
        assertThat(cluster().queued(name())).isZero();
    }

    @Test
    void lockWaitsThroughAnInterruptAndSetsTheFlagAgain() throws Exception {
        for (ClusterLock wanted : List.of(reading(), writing())) {
            LockHandle holder = writing().acquire(LONG);
            Actor thread = actor("waiter to " + wanted.kind());
            Future<Boolean> flag = thread.start(() -> {
                wanted.lock();
                wanted.unlock();
                return Thread.currentThread().isInterrupted();
            });
            awaitWaiters(1);

            thread.interrupt();
            thread.awaitParked();
            holder.close();

            assertThat(Actor.join(flag)).isTrue();
        }
    }

    @Test
    void cancellingLeavesTheQueue() throws Exception {
        LockHandle holder = writingOf(join()).acquire();
        for (ClusterLock wanted : List.of(reading(), writing())) {
            CompletableFuture<LockHandle> cancelled = wanted.acquireAsync();
            CompletableFuture<LockHandle> late =
                    wanted.acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            await().until(() ->
                    late.isDone() || registry().inspector().awaited().size() == 2);

            cancelled.cancel(false);

            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Actor.join(late));
            awaitQueued(1);
            awaitWaiters(0);
        }
        holder.close();
    }
}
