package io.github.zklock.zookeeper;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Acquirable;
import io.github.zklock.HandOff;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What locks cost, counted on a real server. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class RequestCountTest {

    /** So long that no tick falls into what is counted. */
    private static final Duration LONG_SESSION = Duration.ofMinutes(10);

    private static final String NAME = "/counted";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();

    @Test
    void freeLockCostsOneCreateOneListAndOneDelete() throws Exception {
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);

        Map<String, Long> counted = real.counting(() -> takeAndGiveBack(registry));

        assertThat(counted).isEqualTo(Map.of("create2", 1L, "getChildren", 1L, "delete", 1L));
    }

    @Test
    void createAndListOfAFreeLockAreInFlightTogether() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.connectString())) {
            ZooKeeperLockRegistry registry = warm(LONG_SESSION, proxy.connectString());
            Map<String, Long> before = server.traffic().total();
            proxy.pause(TcpProxy.Direction.REPLY);
            CompletableFuture<LockHandle> wait = registry.lock(NAME).acquireAsync();

            // both arrive although neither has been answered
            RealServer.awaitUntil(() ->
                    Traffic.between(before, server.traffic().total()).equals(Map.of("create2", 1L, "getChildren", 1L)));

            assertThat(wait.isDone()).isFalse();
            proxy.heal();
            Actor.join(wait).close();
            registry.close();
        }
    }

    @Test
    void twentyFreeLocksCostOneTransactionEachWayAndOneRequestForTheirLists() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.connectString())) {
            ZooKeeperLockRegistry registry = warm(LONG_SESSION, proxy.connectString());
            Acquirable<Handle> all = registry.allOf(
                    IntStream.range(0, 20).mapToObj(i -> "/counted-" + i).toArray(String[]::new));
            RealServer.giveBack(all.acquire());
            Map<String, Long> before = server.traffic().total();
            proxy.pause(TcpProxy.Direction.REPLY);
            CompletableFuture<Handle> wait = all.acquireAsync();

            // both arrive although neither has been answered: one round trip
            RealServer.awaitUntil(() ->
                    Traffic.between(before, server.traffic().total()).equals(Map.of("multi", 1L, "multiRead", 1L)));

            assertThat(wait.isDone()).isFalse();
            proxy.heal();
            Handle whole = Actor.join(wait);
            assertThat(real.counting(() -> RealServer.giveBack(whole))).isEqualTo(Map.of("multi", 1L));
            registry.close();
        }
    }

    @Test
    void failedTryOnAForeignHeldLockCostsOneSyncAndOneListAndNoWrite() throws Exception {
        ZooKeeperLockRegistry holder = warm(LONG_SESSION);
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        try (LockHandle held = holder.lock(NAME).acquire()) {

            Map<String, Long> counted = real.counting(
                    () -> assertThat(registry.lock(NAME).tryAcquire()).isEmpty());

            assertThat(counted).isEqualTo(Map.of("sync", 1L, "getChildren", 1L));
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void failedTryOnALockThatThisProcessHoldsCostsNothing() throws Exception {
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        try (LockHandle held = registry.lock(NAME).acquire()) {

            Map<String, Long> counted = real.counting(
                    () -> assertThat(registry.lock(NAME).tryAcquire()).isEmpty());

            assertThat(counted).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void reentryCostsNothing() throws Exception {
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        registry.lock(NAME).lock();

        Map<String, Long> counted = real.counting(() -> {
            registry.lock(NAME).lock();
            registry.lock(NAME).unlock();
        });

        assertThat(counted).isEmpty();
        registry.lock(NAME).unlock();
    }

    @Test
    void lingeringLockIsTakenAgainForNothing() throws Exception {
        ZooKeeperLockRegistry registry = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        registry.lock(NAME).acquire().close();
        awaitLingering(registry);

        Map<String, Long> counted =
                real.counting(() -> registry.lock(NAME).acquire().close());

        assertThat(counted).isEmpty();
    }

    @Test
    void lingeringLockGoesToANewcomerForOneEventAndOneDelete() throws Exception {
        ZooKeeperLockRegistry lingering = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        lingering.lock(NAME).acquire().close();
        awaitLingering(lingering);
        ZooKeeperLockRegistry newcomer = open(LONG_SESSION);
        RealServer.giveBack(newcomer.lock("/another").acquire());

        Map<String, Long> counted = real.counting(() -> newcomer.lock(NAME).acquire());

        // of the one that lingers
        assertThat(counted).containsEntry("event NodeCreated", 1L).containsEntry("delete", 1L);
        // of the newcomer; his watch on the one in front may come too late for an event
        assertThat(counted).containsEntry("create2", 1L).containsEntry("getChildren", 1L);
        assertThat(counted.keySet())
                .isSubsetOf(
                        "event NodeCreated",
                        "delete",
                        "create2",
                        "getChildren",
                        "getData",
                        "event NodeDeleted",
                        "sync",
                        "removeWatches");
    }

    @Test
    void lockThatLingersSaysSoByOneWrite() throws Exception {
        ZooKeeperLockRegistry lingering = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        RealServer.giveBack(open(LONG_SESSION).lock(NAME).acquire());
        lingering.lock("/another").acquire().close();
        awaitLingering(lingering);

        Map<String, Long> before = server.traffic().total();
        Map<String, Long> expected = Map.of("create2", 1L, "getChildren", 2L, "setData", 1L, "addWatch", 1L);

        lingering.lock(NAME).acquire().close();

        RealServer.awaitUntil(
                () -> Traffic.between(before, server.traffic().total()).keySet().containsAll(expected.keySet()));
        // the second list is asked for when the watch stands
        RealServer.awaitUntil(
                () -> Traffic.between(before, server.traffic().total()).get("getChildren") > 1);
        assertThat(Traffic.between(before, server.traffic().total())).isEqualTo(expected);
    }

    @Test
    void tryOnALockThatLingersCostsOneSeatAndTheOtherProcessOneDelete() throws Exception {
        ZooKeeperLockRegistry lingering = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        lingering.lock(NAME).acquire().close();
        awaitLingering(lingering);
        ZooKeeperLockRegistry newcomer = open(LONG_SESSION);
        RealServer.giveBack(newcomer.lock("/another").acquire());

        Map<String, Long> counted =
                real.counting(() -> assertThat(newcomer.lock(NAME).tryAcquire()).isPresent());

        // of the one that lingers
        assertThat(counted).containsEntry("event NodeCreated", 1L).containsEntry("delete", 1L);
        // of the try: the question and the place in the queue
        assertThat(counted).containsEntry("create2", 1L).containsEntry("getChildren", 2L);
        // the idle seat once; the seat behind and the try may watch that seat, and the seat behind is confirmed then
        assertThat(counted.get("getData")).isBetween(1L, 4L);
        assertThat(counted.get("sync")).isBetween(1L, 2L);
        assertThat(counted.keySet())
                .isSubsetOf(
                        "event NodeCreated",
                        "delete",
                        "create2",
                        "getChildren",
                        "getData",
                        "event NodeDeleted",
                        "sync",
                        "removeWatches");
    }

    @Test
    void failedTryOnALockThatMayLingerCostsOneMoreReadAndNoWrite() throws Exception {
        ZooKeeperLockRegistry lingering = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        try (LockHandle held = lingering.lock(NAME).acquire()) {

            Map<String, Long> counted = real.counting(
                    () -> assertThat(registry.lock(NAME).tryAcquire()).isEmpty());

            assertThat(counted).isEqualTo(Map.of("sync", 1L, "getChildren", 1L, "getData", 1L));
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void failedTriesOnALockThatWasTakenAgainCostOneSeatOnce() throws Exception {
        ZooKeeperLockRegistry lingering = open(builder(LONG_SESSION, server.connectString())
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10))));
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        lingering.lock(NAME).acquire().close();
        awaitLingering(lingering);
        try (LockHandle held = lingering.lock(NAME).acquire()) {

            Map<String, Long> first = real.counting(() -> {
                assertThat(registry.lock(NAME).tryAcquire()).isEmpty();
                real.awaitSeats(1);
            });
            RealServer.awaitAnswers(registry); // also to the removal of its watch
            Map<String, Long> second = real.counting(
                    () -> assertThat(registry.lock(NAME).tryAcquire()).isEmpty());

            assertThat(first)
                    .containsEntry("create2", 1L)
                    .containsEntry("delete", 1L)
                    .containsEntry("setData", 1L);
            assertThat(second).isEqualTo(Map.of("sync", 1L, "getChildren", 1L, "getData", 1L));
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void strictSeatBehindOneOfItsOwnProcessIsNotToldOfItsTurnByTheServers() throws Exception {
        ZooKeeperLockRegistry registry =
                open(builder(LONG_SESSION, server.connectString()).handOff(HandOff.strict()));
        LockHandle first = registry.lock(NAME).acquire();
        CompletableFuture<LockHandle> second = registry.lock(NAME).acquireAsync();
        real.awaitSeats(2);
        RealServer.awaitAnswers(registry);
        List<CompletableFuture<LockHandle>> third = new ArrayList<>();

        Map<String, Long> queued = real.counting(() -> {
            third.add(registry.lock(NAME).acquireAsync());
            real.awaitSeats(3);
        });
        RealServer.awaitAnswers(registry);
        Map<String, Long> passedOn = real.counting(() -> {
            RealServer.giveBack(first);
            Actor.join(second);
            RealServer.awaitAnswers(registry);
        });

        // its place does not matter before that of the seat in front of it
        assertThat(queued).isEqualTo(Map.of("create2", 1L));
        assertThat(server.watches()).isZero();
        // the node of the second seat is confirmed, and the third one is placed; the last two listings are the test's
        assertThat(passedOn).isEqualTo(Map.of("delete", 1L, "sync", 1L, "getData", 1L, "getChildren", 3L));
        Actor.join(second).close();
        Actor.join(third.get(0)).close();
    }

    @Test
    void manyStrictRequestsAtOnceShareTheListingsOfTheirQueue() throws Exception {
        int requests = 1_000;
        ZooKeeperLockRegistry registry =
                open(builder(LONG_SESSION, server.connectString()).handOff(HandOff.strict()));
        RealServer.giveBack(registry.lock(NAME).acquire());
        List<CompletableFuture<Void>> turns = new ArrayList<>();

        // the first ones are released while the seats of the others are being created
        Map<String, Long> counted = real.counting(() -> {
            for (int i = 0; i < requests; i++) {
                turns.add(registry.lock(NAME).acquireAsync().thenAccept(LockHandle::close));
            }
            for (CompletableFuture<Void> turn : turns) {
                Actor.join(turn);
            }
        });

        assertThat(counted.getOrDefault("getChildren", 0L) + counted.getOrDefault("multiRead", 0L))
                .isLessThan(requests / 10L);
    }

    @Test
    void closeWithManyWhoWaitReadsNoQueue() throws Exception {
        int waiters = 20;
        LockHandle held = open(LONG_SESSION).lock(NAME).acquire();
        ZooKeeperLockRegistry registry =
                open(builder(LONG_SESSION, server.connectString()).handOff(HandOff.strict()));
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waits.add(registry.lock(NAME).acquireAsync());
        }
        real.awaitSeats(waiters + 1);
        RealServer.awaitAnswers(registry);

        Map<String, Long> counted = real.counting(registry::close);

        RealServer.awaitUntil(() -> waits.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertThat(counted).doesNotContainKey("getChildren");
        assertThat(counted.getOrDefault("delete", 0L) + counted.getOrDefault("multi", 0L))
                .isBetween(1L, waiters / 2L);
        held.close();
    }

    @Test
    void thousandThreadsOfOneProcessHaveOneSeatAtATime() throws Exception {
        int threads = 1_000;
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        LockHandle first = registry.lock(NAME).acquire();
        AtomicInteger mostSeats = new AtomicInteger();
        CountDownLatch served = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                registry.lock(NAME).lock();
                mostSeats.accumulateAndGet(Leftovers.seats(server).size(), Math::max);
                registry.lock(NAME).unlock();
                served.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        RealServer.awaitUntil(() -> registry.inspector().awaited().size() == threads);
        long createsBefore = server.traffic().total("create2");

        first.close();

        assertThat(served.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(mostSeats).hasValue(1);
        assertThat(server.traffic().total("create2") - createsBefore).isZero();
    }

    @Test
    void releaseWithFiftySessionsQueuedIsToldByExactlyOneWatchEvent() throws Exception {
        int sessions = 50;
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            ZooKeeperLockRegistry registry = open(LONG_SESSION);
            waits.add(registry.lock(NAME).acquireAsync());
            int queued = i + 1;
            real.awaitSeats(queued);
        }
        RealServer.awaitUntil(() -> server.watches() == sessions - 1);

        for (int i = 0; i < sessions - 1; i++) {
            LockHandle holder = Actor.join(waits.get(i));
            Map<String, Long> before = events();
            holder.close();
            Actor.join(waits.get(i + 1));

            assertThat(Traffic.between(before, events())).isEqualTo(Map.of("event NodeDeleted", 1L));
        }
        Actor.join(waits.get(sessions - 1)).close();
    }

    @Test
    void idleRegistryAsksOnceEachEighthOfItsSession() throws Exception {
        Duration session = Duration.ofSeconds(4);
        long ticks = 8;
        Map<String, Long> atFirst = server.traffic().total();
        warm(session);
        // it goes on for a while to look for what may be left of its seats
        RealServer.awaitUntil(
                () -> Traffic.between(atFirst, server.traffic().total()).getOrDefault("sync", 0L) >= 3 * ticks);
        Map<String, Long> before = server.traffic().total();
        long start = System.nanoTime();

        RealServer.awaitUntil(
                () -> Traffic.between(before, server.traffic().total()).getOrDefault("sync", 0L) >= ticks);

        long passed = (System.nanoTime() - start) * 8 / session.toNanos();
        Map<String, Long> counted = Traffic.between(before, server.traffic().total());
        assertThat(counted).containsOnlyKeys("sync");
        // at most one each T/8; a machine that stalls makes fewer in the same time, never more
        assertThat(counted.get("sync")).isLessThanOrEqualTo(passed + 1);
    }

    @Test
    void triesLeaveNoWatch() throws Exception {
        ZooKeeperLockRegistry holder = warm(LONG_SESSION);
        ZooKeeperLockRegistry registry = warm(LONG_SESSION);
        try (LockHandle held = holder.lock(NAME).acquire()) {

            for (int i = 0; i < 1_000; i++) {
                assertThat(registry.lock(NAME).tryAcquire()).isEmpty();
            }

            assertThat(server.watches()).isZero();
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** Waits until the registry watches one released lock and has the answers to all its requests. */
    private void awaitLingering(ZooKeeperLockRegistry registry) throws InterruptedException {
        RealServer.awaitUntil(() -> server.watches() == 1);
        RealServer.awaitAnswers(registry);
    }

    private ZooKeeperLockRegistry open(Duration session) {
        return open(builder(session, server.connectString()));
    }

    private ZooKeeperLockRegistry open(ZooKeeperLockRegistry.Builder builder) {
        return real.open(builder.build());
    }

    private static ZooKeeperLockRegistry.Builder builder(Duration session, String connectString) {
        return ZooKeeperLockRegistry.builder()
                // lest what a test leaves held outlives it
                .onClose(OnClose.RELEASE_HELD)
                .connectString(connectString)
                .sessionTimeout(session)
                .handOff(HandOff.bounded(10_000, Duration.ofMinutes(10)));
    }

    private ZooKeeperLockRegistry warm(Duration session) throws InterruptedException {
        return warm(session, server.connectString());
    }

    /** A registry that is connected and has used the lock, so that its folder is there. */
    private ZooKeeperLockRegistry warm(Duration session, String connectString) throws InterruptedException {
        ZooKeeperLockRegistry registry = open(builder(session, connectString));
        takeAndGiveBack(registry);
        return registry;
    }

    private static void takeAndGiveBack(ZooKeeperLockRegistry registry) throws InterruptedException {
        RealServer.giveBack(registry.lock(NAME).acquire());
    }

    private Map<String, Long> events() {
        return server.traffic().total().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("event "))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
