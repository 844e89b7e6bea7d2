package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What readers, writers and permits cost, counted on a real server. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class RequestCountOfKindsTest {

    private static final String NAME = "/counted";
    private static final int PERMITS = 3;
    private static final Map<String, Long> ONE_ROUND_TRIP = Map.of("create2", 1L, "getChildren", 1L);
    private static final Map<String, Long> THERE_AND_BACK = Map.of("create2", 1L, "getChildren", 1L, "delete", 1L);
    private static final Map<String, Long> NO_WRITE = Map.of("sync", 1L, "getChildren", 1L);
    private static final Map<String, Long> NOTHING = Map.of();

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();

    @Test
    void freeReadLockCostsOneCreateOneListAndOneDelete() throws Exception {
        ClusterReadWriteLock lock = lockOfAWarmRegistry();

        assertThat(real.counting(() -> RealServer.giveBack(lock.readLock().acquire())))
                .isEqualTo(THERE_AND_BACK);
    }

    @Test
    void freeWriteLockCostsOneCreateOneListAndOneDelete() throws Exception {
        ClusterReadWriteLock lock = lockOfAWarmRegistry();

        assertThat(real.counting(() -> RealServer.giveBack(lock.writeLock().acquire())))
                .isEqualTo(THERE_AND_BACK);
    }

    @Test
    void readLockCostsNothingWhileThisProcessReads() throws Exception {
        ClusterReadWriteLock lock = lockOfAWarmRegistry();
        try (LockHandle first = lock.readLock().acquire()) {

            Map<String, Long> counted = real.counting(() -> {
                RealServer.giveBack(lock.readLock().acquire());
                RealServer.giveBack(lock.readLock().tryAcquire().orElseThrow());
            });

            assertThat(counted).isEqualTo(NOTHING);
            assertThat(first.isHeld()).isTrue();
        }
    }

    @Test
    void failedTryToReadBesideAForeignWriterCostsNoWrite() throws Exception {
        ClusterReadWriteLock foreign = lockOfAWarmRegistry();
        ClusterReadWriteLock lock = lockOfAWarmRegistry();
        try (LockHandle writing = foreign.writeLock().acquire()) {

            Map<String, Long> counted =
                    real.counting(() -> assertThat(lock.readLock().tryAcquire()).isEmpty());

            assertThat(counted).isEqualTo(NO_WRITE);
            assertThat(writing.isHeld()).isTrue();
        }
    }

    @Test
    void failedTryToWriteBesideAForeignReaderCostsNoWrite() throws Exception {
        ClusterReadWriteLock foreign = lockOfAWarmRegistry();
        ClusterReadWriteLock lock = lockOfAWarmRegistry();
        try (LockHandle reading = foreign.readLock().acquire()) {

            Map<String, Long> counted = real.counting(
                    () -> assertThat(lock.writeLock().tryAcquire()).isEmpty());

            assertThat(counted).isEqualTo(NO_WRITE);
            assertThat(reading.isHeld()).isTrue();
        }
    }

    @Test
    void failedTryBesideAWriterOfThisProcessCostsNothing() throws Exception {
        ClusterReadWriteLock lock = lockOfAWarmRegistry();
        try (LockHandle writing = lock.writeLock().acquire()) {

            Map<String, Long> counted = real.counting(() -> {
                assertThat(lock.readLock().tryAcquire()).isEmpty();
                assertThat(lock.writeLock().tryAcquire()).isEmpty();
            });

            assertThat(counted).isEqualTo(NOTHING);
            assertThat(writing.isHeld()).isTrue();
        }
    }

    @Test
    void downgradeCostsOneLookAtTheQueueAndAWriteOnlyOnceOthersWait() throws Exception {
        ClusterReadWriteLock lock = lockOfAWarmRegistry();
        ClusterReadWriteLock other = lockOfAWarmRegistry();
        lock.writeLock().lock();

        Map<String, Long> before = server.traffic().total();
        lock.readLock().lock();
        lock.writeLock().unlock();
        RealServer.awaitUntil(() ->
                Traffic.between(before, server.traffic().total()).equals(Map.of("addWatch", 1L, "getChildren", 1L)));
        Map<String, Long> joined =
                real.counting(() -> other.readLock().acquire().close());

        assertThat(joined).containsEntry("multi", 1L);
        lock.readLock().unlock();
    }

    @Test
    void releaseOfAWriterWakesEachProcessThatReadsOnce() throws Exception {
        int readers = 20;
        LockHandle writing = lockOfAWarmRegistry().writeLock().acquire();
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            waits.add(open().readWriteLock(NAME).readLock().acquireAsync());
            real.awaitSeats(i + 2);
        }
        RealServer.awaitUntil(() -> server.watches() == readers);

        Map<String, Long> counted = real.counting(() -> {
            writing.close();
            waits.forEach(Actor::join);
        });

        assertThat(counted).containsEntry("event NodeDeleted", (long) readers);
        assertThat(events(counted)).isEqualTo(readers);
        waits.forEach(wait -> Actor.join(wait).close());
    }

    @Test
    void freePermitCostsOneCreateOneListAndOneDelete() throws Exception {
        ClusterSemaphore semaphore = semaphoreOfAWarmRegistry();

        assertThat(real.counting(() -> RealServer.giveBack(semaphore.acquire())))
                .isEqualTo(THERE_AND_BACK);
        assertThat(real.counting(
                        () -> RealServer.giveBack(semaphore.permits(PERMITS).acquire())))
                .isEqualTo(THERE_AND_BACK);
    }

    @ParameterizedTest
    @EnumSource(names = "EXCLUSIVE", mode = EnumSource.Mode.EXCLUDE)
    void createAndListAreInFlightTogether(LockKind kind) throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(server.connectString()));
        ZooKeeperLockRegistry registry = warm(open(proxy.connectString()));
        Map<String, Long> before = server.traffic().total();
        proxy.pause(TcpProxy.Direction.REPLY);
        CompletableFuture<LockHandle> wait = ask(registry, kind);

        // both arrive although neither has been answered
        RealServer.awaitUntil(
                () -> Traffic.between(before, server.traffic().total()).equals(ONE_ROUND_TRIP));

        assertThat(wait.isDone()).isFalse();
        proxy.heal();
        Actor.join(wait).close();
    }

    @Test
    void failedTryForAPermitCostsNoWrite() throws Exception {
        ClusterSemaphore foreign = semaphoreOfAWarmRegistry();
        ClusterSemaphore semaphore = semaphoreOfAWarmRegistry();
        try (LockHandle all = foreign.permits(PERMITS).acquire()) {

            Map<String, Long> counted =
                    real.counting(() -> assertThat(semaphore.tryAcquire()).isEmpty());

            assertThat(counted).isEqualTo(NO_WRITE);
            assertThat(all.isHeld()).isTrue();
        }
    }

    @Test
    void permitGivenBackWakesNoMoreWaitersThanThereArePermits() throws Exception {
        int waiters = 30;
        List<LockHandle> holders = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            holders.add(open().semaphore(NAME, PERMITS).acquire());
        }
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waits.add(open().semaphore(NAME, PERMITS).acquireAsync());
            real.awaitSeats(PERMITS + i + 1);
        }
        // each watches as many seats in front as there are permits: one of them is gone when it has its turn. Of up to
        // twice as
        // many in front it watches all, and needs no further listing.
        int watches = IntStream.range(0, waiters)
                .map(place -> place <= PERMITS ? PERMITS + place : PERMITS)
                .sum();
        RealServer.awaitUntil(() -> server.watches() == watches);

        Map<String, Long> counted = real.counting(() -> {
            for (int i = 0; i < waiters; i++) {
                holders.get(i).close();
                holders.add(Actor.join(waits.get(i)));
            }
        });

        assertThat(events(counted)).isBetween((long) waiters, 2L * PERMITS * waiters);
        holders.forEach(LockHandle::close);
    }

    private static CompletableFuture<LockHandle> ask(ZooKeeperLockRegistry registry, LockKind kind) {
        return switch (kind) {
            case EXCLUSIVE -> registry.lock(NAME).acquireAsync();
            case READ -> registry.readWriteLock(NAME).readLock().acquireAsync();
            case WRITE -> registry.readWriteLock(NAME).writeLock().acquireAsync();
            case PERMITS -> registry.semaphore(NAME, PERMITS).acquireAsync();
        };
    }

    private static long events(Map<String, Long> counted) {
        return counted.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("event "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private ClusterReadWriteLock lockOfAWarmRegistry() throws InterruptedException {
        return warm(open()).readWriteLock(NAME);
    }

    private ClusterSemaphore semaphoreOfAWarmRegistry() throws InterruptedException {
        return warm(open()).semaphore(NAME, PERMITS);
    }

    /** Connected, and the folder of the lock is there. */
    private static ZooKeeperLockRegistry warm(ZooKeeperLockRegistry registry) throws InterruptedException {
        RealServer.giveBack(registry.lock(NAME).acquire());
        return registry;
    }

    private ZooKeeperLockRegistry open() {
        return open(server.connectString());
    }

    /** With a session so long that no tick falls into what is counted. */
    private ZooKeeperLockRegistry open(String connectString) {
        return real.open(RealServer.builder()
                .connectString(connectString)
                .sessionTimeout(Duration.ofMinutes(10))
                .handOff(HandOff.bounded(10_000, Duration.ofMinutes(10)))
                .build());
    }
}
