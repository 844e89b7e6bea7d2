package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockDeadlockException;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deadlocks of real registries on a real server. What is none is in {@link NoDeadlockTest}. */
class DeadlockTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @RegisterExtension
    final CrossingProcesses processes = new CrossingProcesses();

    @Test
    void theYoungestRequestOfTwoProcessesIsRejected() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.FAIL);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = CrossingProcesses.whenBothHold(shop, billing);
            CompletableFuture<Void> later = CrossingProcesses.whenWaiting(go, shop, 1);
            Future<String> first = clerk.start(() -> CrossingProcesses.nested(shop, "/cross/a", "/cross/b", go));
            Future<String> second =
                    bookkeeper.start(() -> CrossingProcesses.nested(billing, "/cross/b", "/cross/a", later));

            assertThatExceptionOfType(LockDeadlockException.class)
                    .isThrownBy(() -> Actor.join(second))
                    .withMessageContaining("Lock '/cross/a' not acquired: Deadlock: ")
                    .withMessageContaining(
                            "thread 'clerk' of shop-1 waits for '/cross/b', which thread 'bookkeeper' of billing-7 holds")
                    .withMessageContaining(
                            "thread 'bookkeeper' of billing-7 waits for '/cross/a', which thread 'clerk' of shop-1 holds");
            assertThat(Actor.join(first)).isEqualTo("/cross/b");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(processes.told())
                            .extracting(LockEvent.Deadlocked::rejected)
                            .contains(true));
        }
    }

    @Test
    void bothProcessesReportTheDeadlockOnceAndWaitOn() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.WARN);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.WARN);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = CrossingProcesses.whenBothHold(shop, billing);
            Future<String> first = clerk.start(() -> CrossingProcesses.nested(shop, "/warned/a", "/warned/b", go));
            Future<String> second =
                    bookkeeper.start(() -> CrossingProcesses.nested(billing, "/warned/b", "/warned/a", go));

            Awaitility.await().until(() -> processes.told().size() == 2);

            assertThat(processes.told())
                    .extracting(event -> event.name().value())
                    .containsExactlyInAnyOrder("/warned/a", "/warned/b");
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> first.get(3, TimeUnit.SECONDS));
            assertThat(processes.told()).as("once").hasSize(2);
            clerk.interrupt();
            assertThat(Actor.join(second)).isEqualTo("/warned/a");
        }
    }

    @Test
    void locksThatAreAcquiredTogetherArePartOfADeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.FAIL);
                Actor clerk = new Actor("clerk")) {
            LockHandle held = billing.lock("/all/b").acquire();
            Future<Handle> both = clerk.start(
                    () -> shop.allOf(shop.lock("/all/a"), shop.lock("/all/b")).acquire(LONG));
            Awaitility.await()
                    .until(() -> shop.inspector().held().size() == 1
                            && !shop.inspector().awaited().isEmpty());

            try (LockContext.Scope scope = LockContext.open(held)) {
                assertThatExceptionOfType(LockDeadlockException.class)
                        .isThrownBy(() -> billing.lock("/all/a").acquire(LONG));
            }
            held.close();

            Actor.join(both).close();
        }
    }

    @Test
    void aRequestOfAProcessThatOnlyWarnsIsNotRejected() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.WARN);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = CrossingProcesses.whenBothHold(shop, billing);
            CompletableFuture<Void> later = CrossingProcesses.whenWaiting(go, shop, 1);
            Future<String> first = clerk.start(() -> CrossingProcesses.nested(shop, "/mixed/a", "/mixed/b", go));
            Future<String> second =
                    bookkeeper.start(() -> CrossingProcesses.nested(billing, "/mixed/b", "/mixed/a", later));

            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> Actor.join(first));
            assertThat(Actor.join(second)).isEqualTo("/mixed/a");
        }
    }

    @Test
    void aDeadlockIsFoundAmongMoreWaitsThanAreShownAtOnce() throws Exception {
        int crowd = 110;
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.FAIL);
                Actor boss = new Actor("boss")) {
            CompletableFuture<Void> all = CompletableFuture.runAsync(() -> Awaitility.await()
                    .until(() -> shop.inspector().held().size() == crowd
                            && billing.inspector().held().size() == 1));
            CompletableFuture<Void> last = CrossingProcesses.whenWaiting(all, shop, crowd);
            Future<String> circle =
                    boss.start(() -> CrossingProcesses.nested(billing, "/crowd/hot", "/crowd/" + (crowd - 1), last));
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                int number = i;
                others.add(threads.submit(() -> CrossingProcesses.nested(shop, "/crowd/" + number, "/crowd/hot", all)));
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> shop.inspector().held().size() == number + 1);
            }

            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> Actor.join(circle));
            for (Future<String> other : others) {
                assertThat(Actor.join(other)).isEqualTo("/crowd/hot");
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
