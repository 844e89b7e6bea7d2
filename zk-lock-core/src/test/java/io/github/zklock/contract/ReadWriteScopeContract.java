package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the owner of a read or a write lock may ask for besides: downgrades, and no upgrades. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class ReadWriteScopeContract extends Contract {

    @Test
    void readerReentersAlsoWhileAWriterWaits() throws Exception {
        reading().lock();
        FencingToken token = tokenHeld();
        CompletableFuture<LockHandle> writer = writingOf(join()).acquireAsync();
        awaitQueued(2);

        reading().lock();
        assertThat(reading().tryLock()).isTrue();
        LockHandle handle = reading().acquire();

        assertThat(handle.fencingToken()).isEqualTo(token);
        handle.close();
        reading().unlock();
        reading().unlock();
        assertThat(writer.isDone()).isFalse();
        reading().unlock();
        Actor.join(writer).close();
    }

    @Test
    void writerReentersWithTheSameToken() throws Exception {
        Member other = join();
        writing().lock();
        FencingToken token = tokenHeld();

        writing().lock();
        assertThat(writing().tryLock()).isTrue();
        LockHandle handle = Actor.join(writing().acquireAsync());

        assertThat(handle.fencingToken()).isEqualTo(token);
        handle.close();
        writing().unlock();
        writing().unlock();
        assertThat(readingOf(other).tryAcquire()).isEmpty();
        writing().unlock();
        readingOf(other).acquire(LONG).close();
    }

    @Test
    void writerThatBecomesAReaderKeepsItsTokenAndLetsReadersIn() throws Exception {
        Member other = join();
        writing().lock();
        FencingToken token = tokenHeld();
        reading().lock();
        assertThat(readingOf(other).tryAcquire()).isEmpty();

        writing().unlock();

        try (LockHandle beside = readingOf(other).acquire(LONG)) {
            LockHandle read = LockContext.current(name()).orElseThrow();
            assertThat(read.isHeld()).isTrue();
            assertThat(read.fencingToken()).isEqualTo(token);
            assertThat(beside.isHeld()).isTrue();
            actor("reader of the same process")
                    .act(() -> reading().acquire(LONG).close());
        }
        reading().unlock();
        writingOf(other).acquire(LONG).close();
    }

    @Test
    void nobodyWritesBetweenAWriterAndTheReaderThatItBecomes() throws Exception {
        Member other = join();
        writing().lock();
        CompletableFuture<LockHandle> remote = writingOf(other).acquireAsync();
        awaitQueued(2);
        CompletableFuture<LockHandle> stranger =
                actor("stranger").run(() -> writing().acquireAsync());
        awaitWaiters(1);
        reading().lock();

        writing().unlock();

        assertThat(readingOf(other).tryAcquire()).isEmpty();
        assertThat(LockContext.current(name()).orElseThrow().isHeld()).isTrue();
        assertThat(remote.isDone()).isFalse();
        assertThat(stranger.isDone()).isFalse();
        assertThat(reading().tryLock()).isTrue();
        reading().unlock();
        reading().unlock();
        // whichever of them comes first
        CompletableFuture<Void> served = remote.thenAccept(LockHandle::close);
        Actor.join(stranger).close();
        Actor.join(served);
    }

    @Test
    void readersThatWaitForAWriterComeInWhenItBecomesAReader() throws Exception {
        Member other = join();
        writing().lock();
        CompletableFuture<LockHandle> remote = readingOf(other).acquireAsync();
        awaitQueued(2);
        CompletableFuture<LockHandle> local =
                actor("stranger").run(() -> reading().acquireAsync());
        awaitWaiters(1);
        reading().lock();
        assertThat(remote.isDone()).isFalse();
        assertThat(local.isDone()).isFalse();

        writing().unlock();

        List<LockHandle> beside = List.of(Actor.join(remote), Actor.join(local));
        assertThat(beside).allMatch(LockHandle::isHeld);
        assertThat(LockContext.current(name()).orElseThrow().isHeld()).isTrue();
        reading().unlock();
        beside.forEach(LockHandle::close);
        writingOf(other).acquire(LONG).close();
    }

    @Test
    void readerBehindAWaitingWriterStaysBehindItWhenTheHolderBecomesAReader() throws Exception {
        writing().lock();
        CompletableFuture<LockHandle> remote = readingOf(join()).acquireAsync();
        awaitQueued(2);
        Actor stranger = actor("stranger");
        CompletableFuture<LockHandle> first = stranger.run(() -> reading().acquireAsync());
        awaitWaiters(1);
        CompletableFuture<LockHandle> writer = stranger.run(() -> writing().acquireAsync());
        awaitWaiters(2);
        CompletableFuture<LockHandle> behind = stranger.run(() -> reading().acquireAsync());
        awaitWaiters(3);
        reading().lock();

        writing().unlock();

        List<LockHandle> beside = List.of(Actor.join(remote), Actor.join(first));
        assertThat(behind.isDone()).isFalse();
        reading().unlock();
        beside.forEach(LockHandle::close);
        LockHandle written = Actor.join(writer);
        assertThat(behind.isDone()).isFalse();
        written.close();
        Actor.join(behind).close();
    }

    @Test
    void downgradeMayBeUndoneInEitherOrder() throws Exception {
        Member other = join();
        writing().lock();
        reading().lock();

        reading().unlock();

        assertThat(readingOf(other).tryAcquire()).isEmpty();
        assertThat(LockContext.current()).singleElement().matches(LockHandle::isHeld);
        writing().unlock();
        writingOf(other).acquire(LONG).close();
    }

    @Test
    void everyFormOfTheReadLockDowngrades() throws Exception {
        Member other = join();
        List<Callable<LockHandle>> forms = List.of(
                () -> reading().acquire(),
                () -> reading().acquire(LONG),
                () -> reading().tryAcquire().orElseThrow(),
                () -> reading().tryAcquire(LONG).orElseThrow(),
                () -> Actor.join(reading().acquireAsync()));
        for (Callable<LockHandle> form : forms) {
            writing().lockInterruptibly();
            FencingToken token = tokenHeld();

            LockHandle read = form.call();
            writing().unlock();

            assertThat(read.isHeld()).isTrue();
            assertThat(read.fencingToken()).isEqualTo(token);
            readingOf(other).acquire(LONG).close();
            read.close();
        }
    }

    @Test
    void writerThatAlsoReadsMayStillReenterTheWriteLock() throws Exception {
        writing().lock();
        reading().lock();

        assertThat(writing().tryLock()).isTrue();
        writing().acquire().close();

        writing().unlock();
        reading().unlock();
        writing().unlock();
        writingOf(join()).acquire(LONG).close();
    }

    @Test
    void everyFormOfAnUpgradeIsRefusedAtOnceWithTheReason() throws Exception {
        Member other = join();
        reading().lock();

        try (LockHandle beside = readingOf(other).acquire(LONG)) {
            assertUpgradesAreRefused(writing());

            assertThat(beside.isHeld()).isTrue();
            assertThat(LockContext.current()).singleElement().matches(LockHandle::isHeld);
            assertThat(registry().inspector().awaited()).isEmpty();
            assertThat(cluster().queued(name())).isEqualTo(2);
        }
        reading().unlock();
        assertThatCode(() -> writing().acquire(LONG).close()).doesNotThrowAnyException();
    }

    @Test
    void upgradeIsRefusedToTheReaderThatWasAWriter() {
        writing().lock();
        reading().lock();
        writing().unlock();

        assertUpgradesAreRefused(writing());

        reading().unlock();
    }

    @Test
    void upgradeIsRefusedToAThreadThatAReadHandleWasCarriedTo() throws Exception {
        LockHandle handle = reading().acquire();
        Actor thread = actor("carried to");

        thread.act(() -> {
            try (LockContext.Scope scope = LockContext.open(handle)) {
                assertUpgradesAreRefused(writing());
                assertThat(handle.isHeld()).isTrue();
                reading().acquire().close();
            }
        });

        handle.close();
    }

    @Test
    void downgradeIsOpenToAThreadThatAWriteHandleWasCarriedTo() throws Exception {
        LockHandle handle = writing().acquire();
        Actor thread = actor("carried to");

        LockHandle read = thread.run(() -> {
            try (LockContext.Scope scope = LockContext.open(handle)) {
                assertThat(handle.isHeld()).isTrue();
                return reading().acquire();
            }
        });
        handle.close();

        assertThat(read.isHeld()).isTrue();
        assertThat(read.fencingToken()).isEqualTo(handle.fencingToken());
        assertThat(readingOf(join()).tryAcquire(LONG)).isPresent();
        read.close();
    }

    private void assertUpgradesAreRefused(ClusterLock write) {
        List<ThrowingCallable> forms = List.of(
                write::lock,
                write::lockInterruptibly,
                write::tryLock,
                () -> write.tryLock(1, TimeUnit.DAYS),
                write::acquire,
                () -> write.acquire(LONG),
                write::tryAcquire,
                () -> write.tryAcquire(LONG),
                () -> Actor.join(write.acquireAsync()),
                () -> Actor.join(write.acquireAsync(LONG)));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(form)
                        .withMessageContaining("'" + name() + "'")
                        .withMessageContaining("read"));
    }

    private FencingToken tokenHeld() {
        return LockContext.current(name()).orElseThrow().fencingToken();
    }
}
