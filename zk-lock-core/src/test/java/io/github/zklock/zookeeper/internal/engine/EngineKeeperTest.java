package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.ClusterJob;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OnClose;
import io.github.zklock.OncePer;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.RealServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** L26: an Error hits the engine of a registry on a real server. */
class EngineKeeperTest {

    private static final String NAME = "/kept";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final RealServer real = new RealServer();

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final LocalZooKeeper server = real.itself();
    private final ZooKeeperLockRegistry registry = real.open(RealServer.builder()
            .connectString(server.connectString())
            .listener(events::add)
            .build());

    @Test
    void whatIsHeldIsLostAndToldOnce() throws Exception {
        LockHandle handle = registry.lock(NAME).acquire();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        handle.onLost(() -> lost.complete(null));

        fail(registry);

        lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(handle.isHeld()).isFalse();
        assertThatThrownBy(handle::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("the lock engine failed and was replaced");
        try (LockHandle next = registry.lock(NAME).acquire(PATIENCE)) {
            assertThat(next.fencingToken().value())
                    .isGreaterThan(handle.fencingToken().value());
        }
        RealServer.awaitUntil(() -> events.stream().anyMatch(event -> event instanceof LockEvent.Released));
        assertThat(events).filteredOn(event -> event instanceof LockEvent.Lost).hasSize(1);
    }

    @Test
    void eachRequestThatWaitsIsRefusedAndTheLockCanBeHadAfterwards() throws Exception {
        LockHandle held = real.registry().lock(NAME).acquire();
        CompletableFuture<LockHandle> first = registry.lock(NAME).acquireAsync();
        CompletableFuture<LockHandle> second = registry.lock(NAME).acquireAsync(Duration.ofMinutes(10));
        RealServer.awaitUntil(() ->
                ZooKeeperCluster.engineOf(registry).ask(Engine::waits).join().size() == 2);

        fail(registry);

        for (CompletableFuture<LockHandle> waiting : List.of(first, second)) {
            assertThat(waiting)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(LockUnavailableException.class)
                    .withMessageContaining("the lock engine failed and was replaced");
        }
        held.close();
        registry.lock(NAME).acquire(PATIENCE).close();
    }

    @Test
    void theNodesOfTheEngineBeforeAreDeletedOnTheSameSession() throws Exception {
        LockHandle handle = registry.lock(NAME).acquire();
        assertThat(server.treeBelow("/locks/kept")).hasSize(1);
        Set<Long> sessions = server.sessions();

        fail(registry);

        RealServer.awaitUntil(() -> server.treeBelow("/locks/kept").isEmpty());
        assertThat(handle.isHeld()).isFalse();
        assertThat(server.sessions()).isEqualTo(sessions);
    }

    @Test
    void aReleaseThatNoEngineSeesFails() throws Exception {
        LockHandle handle = registry.lock(NAME).acquire();
        CompletableFuture<Void> released = handle.released().toCompletableFuture();

        fail(registry);

        assertThat(released)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LockUnavailableException.class)
                .withMessageContaining("the lock engine failed before");
    }

    @Test
    void aBeginOfAJobWithoutALimitIsAnsweredAlthoughAnAnswerIsLost() throws Exception {
        ClusterJob job = registry.job("/job", OncePer.of(Duration.ofHours(1)));
        // the folders exist, so that one request looks at the record
        assertThat(job.lastRun()).isEmpty();
        AtomicReference<CompletableFuture<LockHandle>> begun = new AtomicReference<>();

        ZooKeeperCluster.engineOf(registry).run(engine -> {
            begun.set(job.beginAsync(null));
            // runs behind the request, and before its answer
            fail(registry);
        });

        RealServer.awaitUntil(() -> begun.get() != null);
        begun.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
    }

    @Test
    void theSuccessOfARunIsRecordedAlthoughItsAnswerIsLost() throws Exception {
        ClusterJob job = registry.job("/job", OncePer.of(Duration.ofHours(1)).counting(OncePer.Counting.SUCCEEDED));
        LockHandle run = job.begin(PATIENCE);
        AtomicReference<CompletableFuture<Void>> recorded = new AtomicReference<>();

        ZooKeeperCluster.engineOf(registry).run(engine -> {
            recorded.set(job.succeeded(run).toCompletableFuture());
            fail(registry);
        });

        RealServer.awaitUntil(() -> recorded.get() != null);
        assertThat(recorded.get()).succeedsWithin(PATIENCE);
        assertThat(job.lastRun())
                .hasValueSatisfying(last -> assertThat(last.succeeded()).isPresent());
    }

    @Test
    void aRegistryThatIsClosedAfterwardsEnds() throws Exception {
        registry.lock(NAME).acquire();
        fail(registry);

        registry.close();

        assertThat(registry.terminated().toCompletableFuture()).succeedsWithin(PATIENCE);
    }

    @Test
    void aRegistryThatIsClosedWhileItHoldsALockEndsIfItsEngineFailsAfterwards() throws Exception {
        ZooKeeperLockRegistry closed = real.open(RealServer.builder()
                .connectString(server.connectString())
                .onClose(OnClose.KEEP_HELD)
                .build());
        LockHandle held = closed.lock(NAME).acquire();
        closed.close();

        fail(closed);

        assertThat(closed.terminated().toCompletableFuture()).succeedsWithin(PATIENCE);
        assertThat(held.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void aCloseDoesNotWaitForAnEngineThatDoesNotAnswer() throws Exception {
        ZooKeeperLockRegistry closed = real.open(RealServer.builder()
                .connectString(server.connectString())
                .connectionTimeout(Duration.ofSeconds(2))
                .build());
        closed.lock(NAME).acquire().close();
        CountDownLatch standing = new CountDownLatch(1);
        CountDownLatch mayContinue = new CountDownLatch(1);
        Thread stopped = new Thread(() -> ZooKeeperCluster.engineOf(closed).run(engine -> {
            standing.countDown();
            try {
                mayContinue.await();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }));
        stopped.start();
        standing.await();

        CompletableFuture<Void> close = CompletableFuture.runAsync(closed::close);
        try {
            assertThat(close).succeedsWithin(PATIENCE);
            assertThat(closed.terminated().toCompletableFuture()).isNotDone();
        } finally {
            mayContinue.countDown();
        }
        assertThat(closed.terminated().toCompletableFuture()).succeedsWithin(PATIENCE);
    }

    @Test
    void aRegistryWhoseClientIsClosedBeforeOldNodesWereSearchedForEnds() throws Exception {
        CuratorFramework client = real.start(ZooKeeperLockRegistry.clientBuilder(), server.connectString());
        ZooKeeperLockRegistry ours =
                ZooKeeperLockRegistry.builder().client(client).build();
        ours.lock(NAME).acquire().close();
        server.stop();
        fail(ours);
        client.close();

        ours.close();

        assertThat(ours.terminated().toCompletableFuture()).succeedsWithin(PATIENCE);
        server.start();
        server.sessions().forEach(server::expire);
    }

    private static void fail(ZooKeeperLockRegistry registry) {
        ZooKeeperCluster.engineOf(registry).run(engine -> {
            throw new OutOfMemoryError("planted");
        });
    }
}
