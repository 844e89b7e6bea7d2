package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.Acquirable;
import io.github.zklock.HandOff;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.zookeeper.RealServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.github.zklock.zookeeper.internal.joint.JointLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several locks that are acquired in one request, on a real server: what becomes of those that are not free. */
class JointAcquisitionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final int CALLBACK_THREADS = 32;

    @RegisterExtension
    final RealServer real = new RealServer();

    private final ZooKeeperLockRegistry other = real.registry();
    private final ZooKeeperLockRegistry registry = real.registry();

    @Test
    void lockInFrontOfOneThatIsNotFreeIsHeldAndThoseBehindItAreNot() throws Exception {
        LockHandle middle = other.lock("/b").acquire();
        CompletableFuture<Handle> whole = registry.allOf("/a", "/b", "/c").acquireAsync();
        RealServer.awaitUntil(() -> registry.inspector().held().size() == 1);
        real.awaitSeats(3);

        other.lock("/c").acquire(PATIENCE).close();
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> other.lock("/a").acquire(SHORT));

        middle.close();
        RealServer.giveBack(whole.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void seatOfARejectedLockServesNobodyWhoAskedLater() throws Exception {
        Delay delay = new Delay();
        MemoryEngine engine = new MemoryEngine(HandOff.bounded(1, SHORT), delay::before);
        LockHandle first = engine.lock("/a").acquire();
        delay.begin();
        CompletableFuture<List<LockHandle>> both =
                ((JointLock) engine.lock("/a")).acquireAsyncWith(List.of(engine.permits("/s", 1, 3)), null);
        CompletableFuture<LockHandle> all = engine.permits("/s", 3, 3).acquireAsync();
        CompletableFuture<LockHandle> one = engine.permits("/s", 1, 3).acquireAsync();

        delay.end();

        LockHandle earlier = all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(one).isNotDone();
        RealServer.giveBack(earlier);
        RealServer.giveBack(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        RealServer.giveBack(first);
        assertThat(both.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
    }

    @Test
    void lockBehindOneThatThisProcessHoldsStaysFreeForOthers() throws Exception {
        LockHandle first = registry.lock("/a").acquire();
        CompletableFuture<Handle> whole = registry.allOf("/a", "/b").acquireAsync();

        RealServer.giveBack(registry.lock("/b").tryAcquire().orElseThrow());
        RealServer.giveBack(other.lock("/b").tryAcquire().orElseThrow());

        first.close();
        RealServer.giveBack(whole.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void cancellationReleasesTheLocksThatWereGranted() throws Exception {
        LockHandle middle = other.lock("/b").acquire();
        CompletableFuture<Handle> whole = registry.allOf("/a", "/b").acquireAsync();
        RealServer.awaitUntil(() -> registry.inspector().held().size() == 1);

        whole.cancel(false);

        other.lock("/a").acquire(PATIENCE).close();
        RealServer.awaitUntil(() -> registry.inspector().held().isEmpty());
        middle.close();
    }

    /** The reader behind it waits behind a writer of another process, and another reader of its own process waits there, too. */
    @Test
    void readerBehindOneThatWaitsIsRejectedAtOnceAndTheLimitHolds() throws Exception {
        LockHandle write = other.readWriteLock("/b").writeLock().acquire();
        CompletableFuture<LockHandle> reader =
                registry.readWriteLock("/b").readLock().acquireAsync();
        real.awaitSeats(2);
        RealServer.awaitAnswers(registry);
        Acquirable<Handle> all =
                registry.allOf(registry.lock("/a"), registry.readWriteLock("/b").readLock());
        CompletableFuture<Handle> cancelled = all.acquireAsync();
        RealServer.awaitUntil(() -> registry.inspector().awaited().size() == 2);

        cancelled.cancel(false);

        other.lock("/a").acquire(PATIENCE).close();
        long began = System.nanoTime();
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> all.acquire(SHORT));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isLessThan(other.inspector().session().timeout().multipliedBy(2));
        write.close();
        Actor.join(reader).close();
    }

    @Test
    @Timeout(120)
    void threadsThatBlockInCallbacksDoNotKeepACallerWaiting() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(CALLBACK_THREADS);
        // a callback that is added once the lock is granted would block this thread
        List<LockHandle> first = new ArrayList<>();
        for (int i = 0; i < CALLBACK_THREADS; i++) {
            first.add(other.lock("/blocked" + i).acquire());
            var unused = registry.lock("/blocked" + i).acquireAsync().thenAccept(handle -> {
                inside.countDown();
                awaitThat(go);
                handle.close();
            });
        }
        first.forEach(LockHandle::close);
        assertThat(inside.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        registry.allOf("/a", "/b").acquire(PATIENCE).close();

        assertThat(go.getCount()).isOne();
        go.countDown();
        RealServer.awaitUntil(() -> registry.inspector().held().isEmpty());
    }

    private static void awaitThat(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holds back what comes from the servers. */
    private static final class Delay {

        private final List<Runnable> heldBack = new ArrayList<>();
        private boolean holdsBack;

        Executor before(Executor loop) {
            return task -> {
                if (holdsBack) {
                    heldBack.add(() -> loop.execute(task));
                } else {
                    loop.execute(task);
                }
            };
        }

        void begin() {
            holdsBack = true;
        }

        void end() {
            holdsBack = false;
            heldBack.forEach(Runnable::run);
        }
    }
}
