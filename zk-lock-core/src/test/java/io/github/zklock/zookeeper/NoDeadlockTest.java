package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterJob;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.OncePer;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Operator;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waits of real registries that are part of no deadlock, and what is left of what was published about them. */
class NoDeadlockTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @RegisterExtension
    final CrossingProcesses processes = new CrossingProcesses();

    /** A thread that requests a future goes on, and may release its lock at any time. */
    @Test
    void futureIsNoPartOfADeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                Operator operator = new Operator(processes.connectString())) {
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
                        .connectString(processes.connectString())
                        .retryPolicy(new RetryOneTime(100))
                        .build();
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.WARN);
                Operator operator = new Operator(processes.connectString());
                Actor clerk = new Actor("clerk")) {
            client.start();
            ZooKeeperLockRegistry shop = ZooKeeperLockRegistry.builder()
                    .client(client)
                    .acl(new DefaultACLProvider())
                    .build();
            LockHandle busy = billing.lock("/closed/b").acquire();
            Future<String> waiter = clerk.start(() ->
                    CrossingProcesses.nested(shop, "/closed/a", "/closed/b", CompletableFuture.completedFuture(null)));
            Awaitility.await().until(() -> !operator.children("/locks/.waits").isEmpty());

            shop.close();

            Awaitility.await().until(() -> operator.children("/locks/.waits").isEmpty());
            assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(waiter));
            busy.close();
        }
    }

    @Test
    void jobsWorkWithAccessLists() throws Exception {
        try (ZooKeeperLockRegistry shop = ZooKeeperLockRegistry.builder()
                .connectString(processes.connectString())
                .acl(new DefaultACLProvider())
                .closeOnExit(false)
                .build()) {
            ClusterJob job = shop.job("/acl/job", OncePer.of(Duration.ofHours(1)));

            job.begin(LONG).close();

            assertThat(job.tryBegin()).isEmpty();
        }
    }

    @Test
    void aScopeThatOutlivesItsLockHoldsNothing() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.FAIL);
                Actor clerk = new Actor("clerk");
                Actor bookkeeper = new Actor("bookkeeper")) {
            LockHandle former = shop.lock("/scope/a").acquire();
            CompletableFuture<LockHandle> next = shop.lock("/scope/a").acquireAsync(LONG);
            Awaitility.await().until(() -> !shop.inspector().awaited().isEmpty());
            CompletableFuture<Void> ready = new CompletableFuture<>();
            Future<String> waiting =
                    bookkeeper.start(() -> CrossingProcesses.nested(billing, "/scope/b", "/scope/a", ready));
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
            assertThat(processes.told()).isEmpty();
            working.close();
            assertThat(Actor.join(waiting)).isEqualTo("/scope/a");
            assertThat(Actor.join(nested)).isEqualTo("/scope/b");
        }
    }

    @Test
    void longWaitForAHolderThatWorksIsNoDeadlock() throws Exception {
        try (ZooKeeperLockRegistry shop = processes.start("shop-1", DeadlockReaction.FAIL);
                ZooKeeperLockRegistry billing = processes.start("billing-7", DeadlockReaction.FAIL);
                Operator operator = new Operator(processes.connectString());
                Actor clerk = new Actor("clerk")) {
            LockHandle busy = billing.lock("/works/b").acquire();
            Future<String> first = clerk.start(() ->
                    CrossingProcesses.nested(shop, "/works/a", "/works/b", CompletableFuture.completedFuture(null)));

            Awaitility.await().until(() -> !operator.children("/locks/.waits").isEmpty());
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> first.get(4, TimeUnit.SECONDS));
            assertThat(processes.told()).isEmpty();
            busy.close();

            assertThat(Actor.join(first)).isEqualTo("/works/b");
        }
    }
}
