package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockKind;
import io.github.zklock.LockMismatchException;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A read/write lock shared with services that still use Curator's recipe on the same path. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class CuratorReadWriteTest {

    private static final String NAME = "/shared";
    private static final String PATH = "/locks/shared";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final ClusterReadWriteLock ours = real.registry().readWriteLock(NAME);
    private final InterProcessReadWriteLock theirs = theirLock();

    @Test
    void theirWriterKeepsOurReadersAndWritersOut() throws Exception {
        theirs.writeLock().acquire();

        assertThat(ours.readLock().tryAcquire()).isEmpty();
        assertThat(ours.writeLock().tryAcquire()).isEmpty();

        Future<LockHandle> writer = real.actor("writer").start(ours.writeLock()::acquire);
        real.awaitSeats(2);
        theirs.writeLock().release();
        Actor.join(writer).close();
    }

    @Test
    void ourWriterKeepsTheirReadersAndWritersOut() throws Exception {
        LockHandle writing = ours.writeLock().acquire();

        assertThat(theirs.readLock().acquire(100, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(theirs.writeLock().acquire(100, TimeUnit.MILLISECONDS)).isFalse();

        Actor writer = real.actor("writer");
        Future<?> wait = writer.startAct(theirs.writeLock()::acquire);
        real.awaitSeats(2);
        writing.close();
        Actor.join(wait);
        writer.act(theirs.writeLock()::release);
    }

    @Test
    void readersOfBothShareAndKeepTheWritersOfBothOut() throws Exception {
        theirs.readLock().acquire();

        try (LockHandle reading = ours.readLock().acquire()) {

            assertThat(theirLock().readLock().acquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ours.writeLock().tryAcquire()).isEmpty();
            assertThat(theirLock().writeLock().acquire(100, TimeUnit.MILLISECONDS))
                    .isFalse();
            assertThat(reading.isHeld()).isTrue();
        }
    }

    @Test
    void theirWaitingWriterHoldsOurLaterReadersBack() throws Exception {
        LockHandle reading = ours.readLock().acquire();
        Actor writer = real.actor("writer");
        Future<?> writing = writer.startAct(theirs.writeLock()::acquire);
        real.awaitSeats(2);
        ClusterReadWriteLock later = real.registry().readWriteLock(NAME);

        assertThat(later.readLock().tryAcquire()).isEmpty();

        Future<LockHandle> reader = real.actor("reader").start(later.readLock()::acquire);
        real.awaitSeats(3);
        reading.close();
        Actor.join(writing);
        assertThat(reader.isDone()).isFalse();
        writer.act(theirs.writeLock()::release);
        Actor.join(reader).close();
    }

    @Test
    void ourWaitingWriterHoldsTheirLaterReadersBack() throws Exception {
        Actor early = real.actor("early reader");
        early.act(theirs.readLock()::acquire);
        Future<LockHandle> writing = real.actor("writer").start(ours.writeLock()::acquire);
        real.awaitSeats(2);
        InterProcessReadWriteLock later = theirLock();

        assertThat(later.readLock().acquire(100, TimeUnit.MILLISECONDS)).isFalse();

        Actor late = real.actor("late reader");
        Future<?> reading = late.startAct(later.readLock()::acquire);
        real.awaitSeats(3);
        early.act(theirs.readLock()::release);
        LockHandle written = Actor.join(writing);
        assertThat(reading.isDone()).isFalse();
        written.close();
        Actor.join(reading);
        late.act(later.readLock()::release);
    }

    @Test
    void inspectorTellsWhoOfTheirsReadsAndWhoWaitsToWrite() throws Exception {
        theirs.readLock().acquire();
        LockHandle reading = ours.readLock().acquire();
        Actor writer = real.actor("writer");
        InterProcessReadWriteLock other = theirLock();
        Future<?> writing = writer.startAct(other.writeLock()::acquire);
        real.awaitSeats(3);

        List<Seat> queue = real.registry().inspector().queue(NAME);

        assertThat(queue)
                .extracting(Seat::kind, Seat::holds, seat -> seat.owner().isPresent())
                .containsExactly(
                        tuple(LockKind.READ, true, false),
                        tuple(LockKind.READ, true, true),
                        tuple(LockKind.WRITE, false, false));
        theirs.readLock().release();
        reading.close();
        Actor.join(writing);
        writer.act(other.writeLock()::release);
    }

    @Test
    void theirMutexOnThePathIsRefused() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(real.foreigner(), PATH);
        mutex.acquire();

        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> ours.readLock().acquire())
                .withMessageContaining("'" + NAME + "'");
        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> ours.writeLock().tryAcquire())
                .withMessageContaining("'" + NAME + "'");

        real.awaitSeats(1);
        mutex.release();
    }

    /** The same lock in one more process of theirs. */
    private InterProcessReadWriteLock theirLock() {
        return new InterProcessReadWriteLock(real.foreigner(), PATH);
    }
}
