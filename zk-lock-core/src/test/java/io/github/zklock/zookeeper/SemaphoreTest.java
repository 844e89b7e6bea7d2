package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockMismatchException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.zookeeper.internal.local.Announcer;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits over several processes: never too many, given back in any order, and no waiter sleeps for ever. */
// how permits are taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class SemaphoreTest {

    private static final String NAME = "/permits";
    private static final String PATH = "/locks/permits";
    private static final int PERMITS = 3;

    private static final List<List<Integer>> ORDERS = List.of(
            List.of(0, 1, 2), List.of(0, 2, 1), List.of(1, 0, 2), List.of(1, 2, 0), List.of(2, 0, 1), List.of(2, 1, 0));

    @RegisterExtension
    final RealServer real = new RealServer();

    /** All orders in which three give back, all of one process or each of its own, under both policies. */
    static Stream<Arguments> orders() {
        return Stream.of(HandOff.bounded(8, Duration.ofMinutes(10)), HandOff.strict())
                .flatMap(handOff -> Stream.of(new Processes(1, handOff), new Processes(PERMITS, handOff)))
                .flatMap(processes -> ORDERS.stream().map(order -> arguments(order, processes)));
    }

    static Stream<Arguments> ordersWhereNobodyIsOvertaken() {
        return orders().filter(each -> ((Processes) each.get()[1]).serveInOrder());
    }

    /** The processes that use the semaphore in turn. */
    record Processes(int count, HandOff handOff) {

        /** Whether who comes first is served first, also by a permit that another process gives back. */
        boolean serveInOrder() {
            return count == 1 || handOff.policy() == HandOff.Policy.STRICT;
        }

        @Override
        public String toString() {
            return count + " with " + handOff.policy();
        }
    }

    @Test
    void neverMoreThanAllPermitsAreOutAndAllWhoWaitAreServed() throws Exception {
        int permits = 8;
        int threads = 64;
        List<ZooKeeperLockRegistry> registries =
                Stream.generate(real::registry).limit(3).toList();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(1);
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            ClusterSemaphore semaphore = registries.get(i % registries.size()).semaphore(NAME, permits);
            work.add(real.actor("thread " + i).startAct(() -> {
                try (LockHandle handle = semaphore.acquire()) {
                    int together = inside.incrementAndGet();
                    most.accumulateAndGet(together, Math::max);
                    if (together == permits) {
                        full.countDown();
                    }
                    assertThat(full.await(60, TimeUnit.SECONDS)).isTrue();
                    assertThat(handle.isHeld()).isTrue();
                    inside.decrementAndGet();
                }
            }));
        }

        work.forEach(Actor::join);

        assertThat(most).hasValue(permits);
        real.awaitSeats(0);
        assertThat(registries.get(0).semaphore(NAME, permits).availablePermits())
                .isEqualTo(permits);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void l20EachPermitGivenBackInAnyOrderWakesTheNextWaiter(List<Integer> order, Processes processes) throws Exception {
        List<ClusterSemaphore> semaphores = semaphores(processes);
        List<LockHandle> holders = hold(semaphores);
        List<CompletableFuture<LockHandle>> waits = queue(semaphores, 1, 1, 1, 1);

        for (int i = 0; i < PERMITS; i++) {
            holders.get(order.get(i)).close();
            holders.add(next(waits, processes));
        }

        holders.get(PERMITS + order.get(0)).close();
        next(waits, processes).close();
        closeAll(holders);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void l20AWaiterWhoLeavesPassesNoPermitOnWronglyAndKeepsNone(List<Integer> order, Processes processes)
            throws Exception {
        List<ClusterSemaphore> semaphores = semaphores(processes);
        for (int leaving = 0; leaving < PERMITS; leaving++) {
            List<LockHandle> holders = hold(semaphores);
            List<CompletableFuture<LockHandle>> waits = queue(semaphores, 1, 1, 1, 1, 1);

            holders.get(order.get(0)).close();
            holders.add(next(waits, processes));
            waits.remove(leaving).cancel(true);
            holders.get(order.get(1)).close();
            holders.add(next(waits, processes));
            holders.get(order.get(2)).close();
            holders.add(next(waits, processes));

            holders.get(PERMITS).close();
            next(waits, processes).close();
            closeAll(holders);
            real.awaitSeats(0);
        }
    }

    @ParameterizedTest
    @MethodSource("ordersWhereNobodyIsOvertaken")
    void l20ALargeWishWaitsForItsLastPermitAndIsNotOvertakenByASmallOne(List<Integer> order, Processes processes)
            throws Exception {
        List<ClusterSemaphore> semaphores = semaphores(processes);
        List<LockHandle> holders = hold(semaphores);
        List<CompletableFuture<LockHandle>> waits = queue(semaphores, 2, 1, 3);

        RealServer.giveBack(holders.get(order.get(0)));
        assertThat(semaphores.get(0).tryAcquire()).isEmpty();
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        RealServer.giveBack(holders.get(order.get(1)));
        LockHandle two = Actor.join(waits.get(0));
        assertThat(waits.get(1).isDone()).isFalse();
        RealServer.giveBack(holders.get(order.get(2)));
        LockHandle one = Actor.join(waits.get(1));
        RealServer.giveBack(two);
        assertThat(semaphores.get(0).tryAcquire()).isEmpty();
        assertThat(waits.get(2).isDone()).isFalse();
        one.close();
        LockHandle three = Actor.join(waits.get(2));

        assertThat(semaphores.get(0).tryAcquire()).isEmpty();
        three.close();
    }

    @Test
    void aLargeWishThatLeavesLetsTheSmallOnesBehindItIn() throws Exception {
        List<ClusterSemaphore> semaphores = semaphores(new Processes(2, HandOff.strict()));
        LockHandle holder = semaphores.get(0).acquire();
        List<CompletableFuture<LockHandle>> waits = queue(semaphores, 3, 1, 1);

        waits.get(0).cancel(true);

        List<LockHandle> small = List.of(Actor.join(waits.get(1)), Actor.join(waits.get(2)));
        assertThat(semaphores.get(0).tryAcquire()).isEmpty();
        closeAll(small);
        holder.close();
    }

    @Test
    void semaphoreOfCuratorOnThePathIsRefused() throws Exception {
        InterProcessSemaphoreV2 theirs = new InterProcessSemaphoreV2(real.foreigner(), PATH, PERMITS);
        theirs.acquire();
        ClusterSemaphore ours = real.registry().semaphore(NAME, PERMITS);

        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(ours::acquire)
                .withMessageContaining("'" + NAME + "'")
                .withMessageContaining("a Curator semaphore uses this path");
        assertThatExceptionOfType(LockMismatchException.class).isThrownBy(ours::tryAcquire);
        assertThatExceptionOfType(LockMismatchException.class).isThrownBy(ours::availablePermits);
        real.awaitSeats(0);
    }

    @Test
    void differingNumbersOfPermitsAreLoggedOnceByEachSide() throws Exception {
        ClusterSemaphore two = real.registry().semaphore(NAME, 2);
        ClusterSemaphore three = real.registry().semaphore(NAME, 3);
        String warning =
                "WARN Semaphore '" + NAME + "' is requested with %d permits here, and with %d by another request";
        try (CapturedLog log = new CapturedLog(Announcer.class)) {
            LockHandle former = two.permits(2).acquire();
            // a try that creates no seat
            assertThat(three.tryAcquire()).isEmpty();
            log.await(warning.formatted(3, 2));
            CompletableFuture<LockHandle> next = three.permits(2).acquireAsync();
            real.awaitSeats(2);
            former.close();
            try (LockHandle held = Actor.join(next)) {
                assertThat(two.tryAcquire()).isEmpty();
                log.await(warning.formatted(2, 3));
                assertThat(three.permits(2).tryAcquire()).isEmpty();
                assertThat(held.isHeld()).isTrue();
            }

            assertThat(log.lines()).filteredOn(line -> line.contains(NAME)).hasSize(2);
        }
    }

    @Test
    void equalNumbersOfPermitsAreNotLogged() throws Exception {
        try (CapturedLog log = new CapturedLog(Announcer.class);
                LockHandle held = real.registry().semaphore(NAME, 3).permits(2).acquire()) {
            ClusterSemaphore same = real.registry().semaphore(NAME, 3);
            assertThat(same.permits(2).tryAcquire()).isEmpty();
            same.acquire().close();

            assertThat(held.isHeld()).isTrue();
            assertThat(log.lines()).isEmpty();
        }
    }

    private List<ClusterSemaphore> semaphores(Processes processes) {
        return Stream.generate(() -> real.open(RealServer.builder()
                        .connectString(real.itself().connectString())
                        .handOff(processes.handOff())
                        .build()))
                .limit(processes.count())
                .map(registry -> registry.semaphore(NAME, PERMITS))
                .toList();
    }

    /** All permits, one by one, by the processes in turn. */
    private static List<LockHandle> hold(List<ClusterSemaphore> semaphores) throws InterruptedException {
        List<LockHandle> holders = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            holders.add(semaphores.get(i % semaphores.size()).acquire());
        }
        return holders;
    }

    /** Wishes that wait in this order, of the processes in turn. */
    private static List<CompletableFuture<LockHandle>> queue(List<ClusterSemaphore> semaphores, int... wishes)
            throws InterruptedException {
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int wish : wishes) {
            ClusterSemaphore semaphore = semaphores.get(waits.size() % semaphores.size());
            waits.add(semaphore.permits(wish).acquireAsync());
            // answered after whatever the wish has asked of the servers
            assertThat(semaphore.availablePermits()).isZero();
        }
        return waits;
    }

    /** The one who is served next; nobody else is. */
    private static LockHandle next(List<CompletableFuture<LockHandle>> waits, Processes processes) {
        int next = 0;
        if (!processes.serveInOrder()) {
            RealServer.awaitUntil(() -> waits.stream().anyMatch(CompletableFuture::isDone));
            while (!waits.get(next).isDone()) {
                next++;
            }
        }
        LockHandle handle = Actor.join(waits.remove(next));
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        return handle;
    }

    private static void closeAll(List<LockHandle> handles) {
        // closing twice does nothing
        handles.forEach(LockHandle::close);
    }
}
