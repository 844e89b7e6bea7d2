package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterJob;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockDeadlockException;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.OncePer;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deadlocks of real registries on a real server. */
class DeadlockTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @RegisterExtension
    final RealServer real = new RealServer();

    private final List<LockEvent.Deadlocked> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void noPublicationIsLeft() {
        try (Operator operator = new Operator(real.itself().connectString())) {
            Awaitility.await().until(() -> operator.children("/locks/.waits").isEmpty());
        }
    }

    private ZooKeeperLockRegistry process(String instance, DeadlockReaction reaction) {
        return ZooKeeperLockRegistry.builder()
                .connectString(real.itself().connectString())
                .instance(instance)
                .onDeadlock(reaction)
                .listener(event -> {
                    if (event instanceof LockEvent.Deadlocked deadlock) {
                        told.add(deadlock);
                    }
                })
                .closeOnExit(false)
                .build();
    }

    /** Holds one lock and requests another one. */
    private static String nested(ZooKeeperLockRegistry process, String outer, String inner, CompletableFuture<Void> go)
            throws Exception {
        try (LockHandle held = process.lock(outer).acquire(LONG);
                LockContext.Scope scope = LockContext.open(held)) {
            go.join();
            try (LockHandle both = process.lock(inner).acquire(LONG)) {
                return inner;
            }
        }
    }

    private static CompletableFuture<Void> whenBothHold(ZooKeeperLockRegistry one, ZooKeeperLockRegistry other) {
        return CompletableFuture.runAsync(() -> Awaitility.await()
                .until(() -> one.inspector().held().size() == 1
                        && other.inspector().held().size() == 1));
    }

    /** Completes when this many requests of the process wait, after the first future. */
    private static CompletableFuture<Void> whenWaiting(
            CompletableFuture<Void> first, ZooKeeperLockRegistry process, int count) {
        return first.thenRunAsync(() ->
                Awaitility.await().until(() -> process.inspector().awaited().size() == count));
    }

    @Test
    void theYoungestRequestOfTwoProcessesIsRejected() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.FAIL);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = whenBothHold(shop, billing);
            CompletableFuture<Void> later = whenWaiting(go, shop, 1);
            Future<String> first = clerk.start(() -> nested(shop, "/cross/a", "/cross/b", go));
            Future<String> second = bookkeeper.start(() -> nested(billing, "/cross/b", "/cross/a", later));

            assertThatExceptionOfType(LockDeadlockException.class)
                    .isThrownBy(() -> Actor.join(second))
                    .withMessageContaining("Lock '/cross/a' not acquired: Deadlock: ")
                    .withMessageContaining(
                            "thread 'clerk' of shop-1 waits for '/cross/b', which thread 'bookkeeper' of billing-7 holds")
                    .withMessageContaining(
                            "thread 'bookkeeper' of billing-7 waits for '/cross/a', which thread 'clerk' of shop-1 holds");
            assertThat(Actor.join(first)).isEqualTo("/cross/b");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(told)
                            .extracting(LockEvent.Deadlocked::rejected)
                            .contains(true));
        }
    }

    @Test
    void bothProcessesReportTheDeadlockOnceAndWaitOn() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.WARN);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.WARN);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = whenBothHold(shop, billing);
            Future<String> first = clerk.start(() -> nested(shop, "/warned/a", "/warned/b", go));
            Future<String> second = bookkeeper.start(() -> nested(billing, "/warned/b", "/warned/a", go));

            Awaitility.await().until(() -> told.size() == 2);

            assertThat(told)
                    .extracting(event -> event.name().value())
                    .containsExactlyInAnyOrder("/warned/a", "/warned/b");
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> first.get(3, TimeUnit.SECONDS));
            assertThat(told).as("once").hasSize(2);
            clerk.interrupt();
            assertThat(Actor.join(second)).isEqualTo("/warned/a");
        }
    }

    @Test
    void locksThatAreAcquiredTogetherArePartOfADeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.FAIL);
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

    /** A thread that requests a future goes on, and may release its lock at any time. */
    @Test
    void futureIsNoPartOfADeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                Operator operator = new Operator(real.itself().connectString())) {
            LockHandle held = shop.semaphore("/future", 1).acquire();
            CompletableFuture<LockHandle> next;
            try (LockContext.Scope scope = LockContext.open(held)) {
                next = shop.semaphore("/future", 1).acquireAsync(LONG);
            }

            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> next.get(4, TimeUnit.SECONDS));
            assertThat(operator.children("/locks/.waits")).isEmpty();
            held.close();
            next.get(1, TimeUnit.MINUTES).close();
        }
    }

    @Test
    void closedRegistryLeavesNoPublicationOnItsClient() throws Exception {
        try (CuratorFramework client = ZooKeeperLockRegistry.clientBuilder()
                        .connectString(real.itself().connectString())
                        .retryPolicy(new RetryOneTime(100))
                        .build();
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.WARN);
                Operator operator = new Operator(real.itself().connectString());
                Actor clerk = new Actor("clerk")) {
            client.start();
            ZooKeeperLockRegistry shop = ZooKeeperLockRegistry.builder()
                    .client(client)
                    .acl(new OpenForAll())
                    .build();
            LockHandle busy = billing.lock("/closed/b").acquire();
            Future<String> waiter =
                    clerk.start(() -> nested(shop, "/closed/a", "/closed/b", CompletableFuture.completedFuture(null)));
            Awaitility.await().until(() -> !operator.children("/locks/.waits").isEmpty());

            shop.close();

            Awaitility.await().until(() -> operator.children("/locks/.waits").isEmpty());
            assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(waiter));
            busy.close();
        }
    }

    /** An access list as applications set it. */
    private static final class OpenForAll implements ACLProvider {

        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }
    }

    @Test
    void jobsWorkWithAccessLists() throws Exception {
        try (ZooKeeperLockRegistry shop = ZooKeeperLockRegistry.builder()
                .connectString(real.itself().connectString())
                .acl(new OpenForAll())
                .closeOnExit(false)
                .build()) {
            ClusterJob job = shop.job("/acl/job", OncePer.of(Duration.ofHours(1)));

            job.begin(LONG).close();

            assertThat(job.tryBegin()).isEmpty();
        }
    }

    @Test
    void aRequestOfAProcessThatOnlyWarnsIsNotRejected() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.WARN);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            CompletableFuture<Void> go = whenBothHold(shop, billing);
            CompletableFuture<Void> later = whenWaiting(go, shop, 1);
            Future<String> first = clerk.start(() -> nested(shop, "/mixed/a", "/mixed/b", go));
            Future<String> second = bookkeeper.start(() -> nested(billing, "/mixed/b", "/mixed/a", later));

            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> Actor.join(first));
            assertThat(Actor.join(second)).isEqualTo("/mixed/a");
        }
    }

    @Test
    void aScopeThatOutlivesItsLockHoldsNothing() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.FAIL);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            LockHandle former = shop.lock("/scope/a").acquire();
            CompletableFuture<LockHandle> next = shop.lock("/scope/a").acquireAsync(LONG);
            Awaitility.await().until(() -> !shop.inspector().awaited().isEmpty());
            CompletableFuture<Void> ready = new CompletableFuture<>();
            Future<String> waiting = bookkeeper.start(() -> nested(billing, "/scope/b", "/scope/a", ready));
            Awaitility.await().until(() -> billing.inspector().held().size() == 1);
            Future<String> nested = clerk.start(() -> {
                try (LockHandle own = shop.lock("/scope/c").acquire();
                        LockContext.Scope outer = LockContext.open(own);
                        LockContext.Scope inner = LockContext.open(former)) {
                    // passes the lock on to the next one in this process, on the same seat
                    former.close();
                    shop.lock("/scope/b").acquire(LONG).close();
                    return "/scope/b";
                }
            });
            LockHandle working = next.get();
            ready.complete(null);

            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> waiting.get(9, TimeUnit.SECONDS));
            assertThat(told).isEmpty();
            working.close();
            assertThat(Actor.join(waiting)).isEqualTo("/scope/a");
            assertThat(Actor.join(nested)).isEqualTo("/scope/b");
        }
    }

    @Test
    void aDeadlockIsFoundAmongMoreWaitsThanAreShownAtOnce() throws Exception {
        int crowd = 110;
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.FAIL);
                Actor boss = new Actor("boss")) {
            CompletableFuture<Void> all = CompletableFuture.runAsync(() -> Awaitility.await()
                    .until(() -> shop.inspector().held().size() == crowd
                            && billing.inspector().held().size() == 1));
            CompletableFuture<Void> last = whenWaiting(all, shop, crowd);
            Future<String> circle = boss.start(() -> nested(billing, "/crowd/hot", "/crowd/" + (crowd - 1), last));
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                int number = i;
                others.add(threads.submit(() -> nested(shop, "/crowd/" + number, "/crowd/hot", all)));
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

    @Test
    void longWaitForAHolderThatWorksIsNoDeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = process("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = process("billing-7", DeadlockReaction.FAIL);
                Operator operator = new Operator(real.itself().connectString());
                Actor clerk = new Actor("clerk")) {
            LockHandle busy = billing.lock("/works/b").acquire();
            Future<String> first =
                    clerk.start(() -> nested(shop, "/works/a", "/works/b", CompletableFuture.completedFuture(null)));

            Awaitility.await().until(() -> !operator.children("/locks/.waits").isEmpty());
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> first.get(4, TimeUnit.SECONDS));
            assertThat(told).isEmpty();
            busy.close();

            assertThat(Actor.join(first)).isEqualTo("/works/b");
        }
    }
}
