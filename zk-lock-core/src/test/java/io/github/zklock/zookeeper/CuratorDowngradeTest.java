package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.LocalZooKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * M23: writers who become readers, of this library and of Curator's, on one path. Both ways a reader appears with the
 * number of a writer who is gone, in front of those who waited for that writer.
 */
class CuratorDowngradeTest {

    private static final String NAME = "/shared";
    private static final String PATH = "/locks/shared";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final ClusterReadWriteLock ours = real.registry().readWriteLock(NAME);
    private final InterProcessReadWriteLock theirs = theirLock();

    @Test
    void m23ReaderOfOursJoinsTheirDowngradedWriterAndAWriterOfOursDoesNot() throws Exception {
        Actor downgrading = real.actor("downgrading");
        downgrading.act(theirs.writeLock()::acquire);
        Future<LockHandle> reader = real.actor("reader").start(ours.readLock()::acquire);
        real.awaitSeats(2);
        ClusterReadWriteLock last = real.registry().readWriteLock(NAME);
        Future<LockHandle> writer = real.actor("writer").start(last.writeLock()::acquire);
        real.awaitSeats(3);

        downgrading.act(theirs.readLock()::acquire);
        downgrading.act(theirs.writeLock()::release);

        LockHandle reading = Actor.join(reader);
        assertThat(writer.isDone()).isFalse();
        downgrading.act(theirs.readLock()::release);
        assertThat(last.readLock().tryAcquire()).isEmpty();
        assertThat(writer.isDone()).isFalse();
        reading.close();
        Actor.join(writer).close();
    }

    @Test
    void m23WriterOfOursRightBehindTheirDowngradedWriterWaitsForTheReaderThatAppeared() throws Exception {
        Actor downgrading = real.actor("downgrading");
        downgrading.act(theirs.writeLock()::acquire);
        Future<LockHandle> writer = real.actor("writer").start(ours.writeLock()::acquire);
        real.awaitSeats(2);
        ClusterReadWriteLock last = real.registry().readWriteLock(NAME);
        Future<LockHandle> reader = real.actor("reader").start(last.readLock()::acquire);
        real.awaitSeats(3);
        RealServer.awaitUntil(() -> server.watches() == 2);

        downgrading.act(theirs.readLock()::acquire);
        downgrading.act(theirs.writeLock()::release);

        // the writer was woken, and watches again: the reader of the number that the writer before it had
        RealServer.awaitUntil(() -> server.traffic().total("event NodeDeleted") == 1 && server.watches() == 2);
        assertThat(writer.isDone()).isFalse();
        assertThat(reader.isDone()).isFalse();
        downgrading.act(theirs.readLock()::release);
        LockHandle writing = Actor.join(writer);
        assertThat(reader.isDone()).isFalse();
        writing.close();
        Actor.join(reader).close();
    }

    @Test
    void m23ReaderOfTheirsJoinsOurDowngradedWriterAndAWriterOfTheirsDoesNot() throws Exception {
        Actor downgrading = real.actor("downgrading");
        downgrading.act(ours.writeLock()::lock);
        Actor reader = real.actor("reader");
        Future<?> reading = reader.startAct(theirs.readLock()::acquire);
        real.awaitSeats(2);
        Actor writer = real.actor("writer");
        InterProcessReadWriteLock last = theirLock();
        Future<?> writing = writer.startAct(last.writeLock()::acquire);
        real.awaitSeats(3);

        downgrading.act(ours.readLock()::lock);
        downgrading.act(ours.writeLock()::unlock);

        Actor.join(reading);
        assertThat(writing.isDone()).isFalse();
        downgrading.act(ours.readLock()::unlock);
        real.awaitSeats(2);
        assertThat(theirLock().readLock().acquire(100, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(writing.isDone()).isFalse();
        reader.act(theirs.readLock()::release);
        Actor.join(writing);
        writer.act(last.writeLock()::release);
    }

    @Test
    void m23WriterOfTheirsRightBehindOurDowngradedWriterWaitsForItsReader() throws Exception {
        Actor downgrading = real.actor("downgrading");
        downgrading.act(ours.writeLock()::lock);
        Actor writer = real.actor("writer");
        Future<?> writing = writer.startAct(theirs.writeLock()::acquire);
        real.awaitSeats(2);
        Actor reader = real.actor("reader");
        InterProcessReadWriteLock last = theirLock();
        Future<?> reading = reader.startAct(last.readLock()::acquire);
        real.awaitSeats(3);
        RealServer.awaitUntil(() -> server.watches() == 2);

        downgrading.act(ours.readLock()::lock);
        downgrading.act(ours.writeLock()::unlock);

        // their recipe has a reader watch the first writer, not the nearest: both are woken and watch again; ours is
        // told, too
        RealServer.awaitUntil(() -> server.traffic().total("event NodeDeleted") == 3 && server.watches() == 2);
        assertThat(writing.isDone()).isFalse();
        assertThat(reading.isDone()).isFalse();
        downgrading.act(ours.readLock()::unlock);
        Actor.join(writing);
        writer.act(theirs.writeLock()::release);
        Actor.join(reading);
        reader.act(last.readLock()::release);
    }

    @Test
    void noWriterIsEverBesideAnybodyUnderLoadAndDowngrades() {
        int rounds = 25;
        Room room = new Room();
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ClusterReadWriteLock our = real.registry().readWriteLock(NAME);
            InterProcessReadWriteLock their = theirLock();
            work.addAll(work(
                    room,
                    rounds,
                    "ours " + i,
                    new Verbs(our.readLock()::lock, our.readLock()::unlock),
                    new Verbs(our.writeLock()::lock, our.writeLock()::unlock)));
            work.addAll(work(
                    room,
                    rounds,
                    "theirs " + i,
                    new Verbs(their.readLock()::acquire, their.readLock()::release),
                    new Verbs(their.writeLock()::acquire, their.writeLock()::release)));
        }

        work.forEach(Actor::join);

        assertThat(room.breaches()).isEmpty();
        assertThat(room.written()).isEqualTo(8 * rounds);
    }

    /** How to take and give back a lock, whosesoever it is. */
    private record Verbs(Actor.Step take, Actor.Step giveBack) {

        void with(Actor.Step step) throws Exception {
            take.run();
            step.run();
            giveBack.run();
        }
    }

    private List<Future<?>> work(Room room, int rounds, String who, Verbs read, Verbs write) {
        return List.of(
                real.actor(who + " reading").startAct(() -> {
                    for (int round = 0; round < rounds; round++) {
                        read.with(() -> room.read(Thread::yield));
                    }
                }),
                real.actor(who + " writing").startAct(() -> {
                    for (int round = 0; round < rounds; round++) {
                        write.with(() -> room.write(Thread::yield));
                    }
                }),
                real.actor(who + " downgrading").startAct(() -> {
                    for (int round = 0; round < rounds; round++) {
                        write.take().run();
                        room.write(Thread::yield);
                        int written = room.written();
                        read.take().run();
                        write.giveBack().run();
                        room.read(() -> assertThat(room.written()).isEqualTo(written));
                        read.giveBack().run();
                    }
                }));
    }

    /** The same lock in one more process of theirs. */
    private InterProcessReadWriteLock theirLock() {
        return new InterProcessReadWriteLock(real.foreigner(), PATH);
    }
}
