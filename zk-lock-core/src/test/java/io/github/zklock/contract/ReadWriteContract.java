package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Any number of readers, or one writer, and each in turn. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class ReadWriteContract extends Contract {

    @Test
    void bothLocksBearTheNameOfThePair() {
        assertThat(pairOf(member()).name()).isEqualTo(LockName.of(name()));
        assertThat(reading().name()).isEqualTo(LockName.of(name()));
        assertThat(writing().name()).isEqualTo(LockName.of(name()));
        assertThat(reading().kind()).isEqualTo(LockKind.READ);
        assertThat(writing().kind()).isEqualTo(LockKind.WRITE);
    }

    @Test
    void locksOfOneNameAndKindAreEqual() {
        assertThat(reading()).isEqualTo(reading()).hasSameHashCodeAs(reading());
        assertThat(writing()).isEqualTo(writing()).hasSameHashCodeAs(writing());
        assertThat(reading()).isNotEqualTo(writing()).isNotEqualTo(lock()).isNotEqualTo(readingOf(join()));
    }

    @Test
    void readersOfAllProcessesShareTheLock() throws Exception {
        Member other = join();
        Actor thread = actor("other thread");

        try (LockHandle first = reading().acquire();
                LockHandle local = thread.run(() -> reading().acquire(LONG));
                LockHandle remote = readingOf(other).acquire(LONG)) {

            assertThat(reading().tryLock()).isTrue();
            reading().unlock();
            assertThat(List.of(first, local, remote)).allMatch(LockHandle::isHeld);
        }
    }

    @Test
    void writerExcludesReadersAndWriters() throws Exception {
        Member other = join();
        LockHandle writer = writing().acquire();

        for (Member process : List.of(member(), other)) {
            assertThat(readingOf(process).tryAcquire()).isEmpty();
            assertThat(readingOf(process).tryLock()).isFalse();
            assertThat(writingOf(process).tryAcquire()).isEmpty();
            assertThat(writingOf(process).tryLock(0, TimeUnit.SECONDS)).isFalse();
        }

        assertThat(writer.isHeld()).isTrue();
        writer.close();
        readingOf(other).acquire(LONG).close();
    }

    @Test
    void readerExcludesWriters() throws Exception {
        Member other = join();
        LockHandle reader = reading().acquire();

        for (Member process : List.of(member(), other)) {
            assertThat(writingOf(process).tryAcquire()).isEmpty();
            assertThat(writingOf(process).tryLock()).isFalse();
        }

        assertThat(reader.isHeld()).isTrue();
        reader.close();
        writingOf(other).acquire(LONG).close();
    }

    @Test
    void tokensOfWritersRiseOverAllProcesses() throws Exception {
        List<Member> members = List.of(member(), join());
        List<FencingToken> tokens = new ArrayList<>();

        for (int i = 0; i < 10; i++) {
            Member process = members.get(i % 3 % 2);
            try (LockHandle writer = writingOf(process).acquire(LONG)) {
                tokens.add(writer.fencingToken());
            }
            readingOf(process).acquire(LONG).close();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void handlesAreBoundToNoThread() throws Exception {
        Actor thread = actor("other thread");
        for (ClusterLock each : List.of(reading(), writing())) {
            LockHandle handle = each.acquire(LONG);

            // a thread that has only a handle is a stranger, and no upgrade is refused to a stranger
            assertThat(writing().tryAcquire()).isEmpty();
            assertThat(writing().tryLock(BUSY.toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
            thread.act(handle::close);

            writing().acquire(LONG).close();
        }
    }

    @Test
    void lossIsToldToEachReaderOfAProcess() throws Exception {
        CountDownLatch told = new CountDownLatch(2);
        List<LockHandle> readers =
                List.of(reading().acquire(), actor("second").run(() -> reading().acquire()));
        readers.forEach(each -> each.onLost(told::countDown));

        // one place in the queue for both, or one each
        while (cluster().queued(name()) > 0) {
            cluster().forceOut(name());
        }

        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(readers).allSatisfy(each -> {
            assertThat(each.state()).isEqualTo(LockState.LOST);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(each::close)
                    .withMessageContaining("'" + name() + "' was lost");
        });
        writing().acquire(LONG).close();
    }

    @Test
    void unlockIsRefusedToThoseWhoHaveNotTakenThatLockOfThePair() {
        writing().lock();

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> reading().unlock())
                .withMessageContaining(name());

        writing().unlock();
        reading().lock();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> writing().unlock())
                .withMessageContaining(name());
        assertThatCode(() -> reading().unlock()).doesNotThrowAnyException();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> reading().unlock());
    }

    @Test
    void conditionsAreUnsupported() {
        assertThat(List.of(reading(), writing()))
                .allSatisfy(each -> assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(each::newCondition)
                        .withMessageContaining(name()));
    }

    @Test
    void nobodyWritesWhileSomebodyReadsUnderLoad() {
        List<Member> members = List.of(member(), join());
        // not atomic on purpose: the lock has to make them so
        int[] pair = new int[2];
        AtomicInteger torn = new AtomicInteger();
        List<Future<Integer>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Member process = members.get(i % 2);
            boolean writes = i / 2 % 2 == 0;
            work.add(actor("worker " + i).start(() -> writes ? write(process, pair, torn) : read(process, pair, torn)));
        }

        int written = work.stream().mapToInt(Actor::join).sum();

        assertThat(torn).hasValue(0);
        assertThat(pair).containsOnly(written);
    }

    private int write(Member process, int[] pair, AtomicInteger torn) {
        for (int round = 0; round < 20; round++) {
            writingOf(process).lock();
            int mine = ++pair[0];
            Thread.onSpinWait();
            pair[1]++;
            if (round % 2 == 0) {
                readingOf(process).lock();
                writingOf(process).unlock();
                if (pair[0] != mine || pair[1] != mine) {
                    torn.incrementAndGet();
                }
                readingOf(process).unlock();
            } else {
                writingOf(process).unlock();
            }
        }
        return 20;
    }

    private int read(Member process, int[] pair, AtomicInteger torn) {
        for (int round = 0; round < 20; round++) {
            readingOf(process).lock();
            if (pair[0] != pair[1]) {
                torn.incrementAndGet();
            }
            readingOf(process).unlock();
        }
        return 0;
    }
}
