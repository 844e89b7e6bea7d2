package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** L26: an Error hits the engine of a registry on a real server. */
class EngineKeeperTest {

    private static final LockName NAME = LockName.of("/kept");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private LocalZooKeeper server;
    private RegistryOptions.Parts parts;

    @BeforeEach
    void build() throws Exception {
        server = new LocalZooKeeper();
        RegistryOptions options = new RegistryOptions();
        options.connectString(server.connectString());
        options.listener(events::add);
        parts = options.assemble();
    }

    @AfterEach
    void close() throws Exception {
        parts.shutdown().run(Duration.ZERO);
        server.close();
    }

    @Test
    void whatIsHeldIsLostAndToldOnce() throws Exception {
        LockHandle handle = lock(parts).acquire();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        handle.onLost(() -> lost.complete(null));

        fail(parts);

        lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(handle.isHeld()).isFalse();
        assertThatThrownBy(handle::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("the lock engine failed and was replaced");
        try (LockHandle next = lock(parts).acquire(PATIENCE)) {
            assertThat(next.fencingToken().value())
                    .isGreaterThan(handle.fencingToken().value());
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> events.stream().anyMatch(event -> event instanceof LockEvent.Released));
        assertThat(events).filteredOn(event -> event instanceof LockEvent.Lost).hasSize(1);
    }

    @Test
    void whoeverWaitsGoesOnWaitingWithItsDeadline() throws Exception {
        RegistryOptions options = new RegistryOptions();
        options.connectString(server.connectString());
        RegistryOptions.Parts others = options.assemble();
        try {
            LockHandle held = lock(others).acquire();
            CompletableFuture<LockHandle> patient = lock(parts).acquireAsync();
            CompletableFuture<LockHandle> impatient = lock(parts).acquireAsync(Duration.ofSeconds(10));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> parts.engine().ask(Engine::awaited).join().size() == 2);

            fail(parts);

            assertThat(impatient).failsWithin(PATIENCE);
            assertThat(patient).isNotDone();
            held.close();
            patient.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        } finally {
            others.shutdown().run(Duration.ZERO);
        }
    }

    @Test
    void theNodesOfTheEngineBeforeAreDeletedOnTheSameSession() throws Exception {
        LockHandle handle = lock(parts).acquire();
        assertThat(server.treeBelow("/locks/kept")).hasSize(1);
        Set<Long> sessions = server.sessions();

        fail(parts);

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> server.treeBelow("/locks/kept").isEmpty());
        assertThat(handle.isHeld()).isFalse();
        assertThat(server.sessions()).isEqualTo(sessions);
    }

    @Test
    void aReleaseThatNoEngineSeesFails() throws Exception {
        LockHandle handle = lock(parts).acquire();
        CompletableFuture<Void> released = handle.released().toCompletableFuture();

        fail(parts);

        assertThat(released)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LockUnavailableException.class)
                .withMessageContaining("the lock engine failed before");
    }

    @Test
    void aRegistryThatIsClosedAfterwardsEnds() throws Exception {
        lock(parts).acquire();
        fail(parts);

        parts.shutdown().run(Duration.ZERO);

        assertThat(parts.shutdown().terminated().toCompletableFuture()).succeedsWithin(PATIENCE);
    }

    private static EngineLock lock(RegistryOptions.Parts parts) {
        return new EngineLock(NAME, Demand.EXCLUSIVE, parts.engine());
    }

    private static void fail(RegistryOptions.Parts parts) {
        parts.engine().run(engine -> {
            throw new OutOfMemoryError("planted");
        });
    }
}
