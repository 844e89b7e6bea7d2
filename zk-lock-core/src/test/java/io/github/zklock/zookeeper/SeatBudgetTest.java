package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Session;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.session.SeatBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.txn.CloseSessionTxn;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** L24: the servers can close a session whatever it holds, since it never holds more than fits into one transaction. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeatBudgetTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    /** The length of a vector in front of its elements. */
    private static final int VECTOR_BYTES = 4;

    private LocalZooKeeper server;

    @BeforeAll
    void startServer() {
        server = new LocalZooKeeper();
    }

    @AfterEach
    void nothingIsLeft() {
        Leftovers.assertNone(server);
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\u00e4\u00df", "\u20ac", "\ud83d\ude00 and more"})
    void lengthInUtf8IsThatOfTheBytes(String text) {
        assertThat(SeatBudget.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void budgetIsWhatTheClosingTransactionTakes() throws Exception {
        try (CuratorFramework root = client(server.connectString(), null)) {
            root.create().forPath("/\u00e4-root");
        }
        try (CuratorFramework client = client(server.connectString() + "/\u00e4-root", "name-space");
                ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                        .client(client)
                        .basePath("/a/\u20ac")
                        .build();
                LockHandle exclusive = registry.lock("/orders/\u00e9").acquire(LONG);
                LockHandle reading = registry.readWriteLock("/pair").readLock().acquire(LONG);
                LockHandle permits =
                        registry.semaphore("/permits", 12).permits(2).acquire(LONG)) {
            assertThat(List.of(exclusive, reading, permits)).allMatch(LockHandle::isHeld);

            Session session = registry.inspector().session();

            assertThat(session.seats()).isEqualTo(3);
            assertThat(session.seatBytes()).isEqualTo(closingBytes() - VECTOR_BYTES);
        }
    }

    @Test
    void beyondTheBudgetALockIsRefusedAtOnceAndOthersGoOn() throws Exception {
        try (ZooKeeperLockRegistry registry = registry().seatBudget(1024).build()) {
            List<LockHandle> held = acquireAll(registry, "/lock-with-a-name/");

            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> registry.lock("/another-lock").acquire())
                    .withMessageContaining("'/another-lock'")
                    .withMessageContaining(held.size() + " seats take ")
                    .withMessageContaining("1024 bytes")
                    .withMessageContaining("jute.maxbuffer");
            assertThat(held).hasSizeGreaterThan(5).allMatch(LockHandle::isHeld);
            Session session = registry.inspector().session();
            assertThat(session.seats()).isEqualTo(held.size());
            assertThat(session.seatBudget()).isEqualTo(1024);
            assertThat(session.seatBytes()).isBetween(900L, 1024L);

            held.remove(0).close();
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> registry.inspector().session().seats() == held.size());
            registry.lock("/another-lock").acquire(LONG).close();
            held.forEach(LockHandle::close);
        }
    }

    @Test
    void registriesOnOneClientShareTheBudgetOfItsSession() throws Exception {
        try (CuratorFramework client = client(server.connectString(), null);
                ZooKeeperLockRegistry one = ZooKeeperLockRegistry.builder()
                        .client(client)
                        .seatBudget(1024)
                        .build();
                ZooKeeperLockRegistry two = ZooKeeperLockRegistry.builder()
                        .client(client)
                        .seatBudget(1024)
                        .build()) {
            List<LockHandle> held = acquireAll(one, "/lock-with-a-name/");

            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> two.lock("/another-lock").acquire(LONG))
                    .withMessageContaining("0 seats take 0 bytes, and those of other registries on the same client ")
                    .withMessageContaining("1024 bytes");
            assertThat(two.inspector().session().seatBytes()).isZero();

            held.forEach(RealServer::giveBack);
            two.lock("/another-lock").acquire(LONG).close();
        }
    }

    @Test
    void registryThatIsClosedLeavesItsPartOfTheBudgetToTheOthers() throws Exception {
        try (CuratorFramework client = client(server.connectString(), null);
                ZooKeeperLockRegistry one = ZooKeeperLockRegistry.builder()
                        .client(client)
                        .seatBudget(1024)
                        .build()) {
            ZooKeeperLockRegistry two = ZooKeeperLockRegistry.builder()
                    .client(client)
                    .seatBudget(1024)
                    .onClose(OnClose.RELEASE_HELD)
                    .build();
            acquireAll(two, "/lock-with-a-name/");

            two.close();

            RealServer.awaitUntil(() -> Leftovers.seats(server).isEmpty());
            one.lock("/another-lock").acquire(LONG).close();
        }
    }

    @Test
    void handOffInTheProcessNeedsNoRoom() throws Exception {
        try (ZooKeeperLockRegistry registry = registry().seatBudget(1024).build();
                Actor next = new Actor("next")) {
            List<LockHandle> held = acquireAll(registry, "/lock-with-a-name/");
            String name = held.get(0).name().value();
            Future<LockHandle> wait = next.start(() -> registry.lock(name).acquire());
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> registry.inspector().awaited().size() == 1);

            held.get(0).close();

            Actor.join(wait).close();
            held.forEach(LockHandle::close);
        }
    }

    @Test
    void strictWaiterIsRefusedAtOnceIfThereIsNoRoomForItsSeat() throws Exception {
        try (ZooKeeperLockRegistry registry =
                registry().seatBudget(1024).handOff(HandOff.strict()).build()) {
            List<LockHandle> held = acquireAll(registry, "/lock-with-a-name/");
            String name = held.get(0).name().value();

            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> registry.lock(name).acquire())
                    .withMessageContaining("'" + name + "'");
            assertThat(held).allMatch(LockHandle::isHeld);
            held.forEach(LockHandle::close);
        }
    }

    @Test
    void budgetOfTheDefaultHoldsThousandsOfLocksAndTheServerStartsAgainAfterItsSessionWasClosed() throws Exception {
        ZooKeeperLockRegistry registry = registry().build();
        int longNames = 2_300;
        List<LockHandle> held = acquireAll(registry, longNames, "/" + "x".repeat(150) + "/");

        assertThat(held).hasSize(longNames).allMatch(LockHandle::isHeld);
        assertThat(closingBytes()).isBetween(500_000, 512 * 1024 + VECTOR_BYTES);
        long session = Long.parseUnsignedLong(registry.inspector().session().id(), 16);
        server.expire(session);
        // a server that stops forgets what it was asked for and has not begun: PrepRequestProcessor, shutdown
        RealServer.awaitUntil(() -> !server.sessions().contains(session));
        registry.close();
        server.stop();
        server.start();

        assertThat(server.treeBelow("/locks")).noneMatch(path -> path.contains("_c_"));
    }

    @Test
    void shortNamesLeaveRoomForMoreLocks() {
        int shortName = SeatBudget.bytesOf(0, "/locks/order-1234567", Demand.EXCLUSIVE);
        int longName = SeatBudget.bytesOf(0, "/locks/" + "x".repeat(160), Demand.EXCLUSIVE);

        // the figures of docs/guide/zookeeper.md
        assertThat(SeatBudget.DEFAULT_BYTES / shortName).isEqualTo(6_553);
        assertThat(SeatBudget.DEFAULT_BYTES / longName).isEqualTo(2_309);
    }

    @Test
    void budgetThatIsTooSmallForALockIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry().seatBudget(1023))
                .withMessageContaining("1023");
    }

    @Test
    void fourFifthsAreWarnedOfOnceUntilSevenTenthsAreInUseAgain() {
        SeatBudget budget = new SeatBudget(new AtomicLong());
        Logger log = (Logger) LoggerFactory.getLogger(SeatBudget.class);
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        warnings.start();
        log.addAppender(warnings);
        try {
            takeUpTo(800, budget);
            RealServer.awaitUntil(() -> warnings.list.size() == 1);
            takeUpTo(1000, budget);
            assertThat(budget.admits(100, 1000)).isFalse();
            assertThat(budget.seats()).isEqualTo(10);

            while (budget.bytes() > 500) {
                budget.giveBack(100);
            }
            takeUpTo(800, budget);
            // lines are written in order: a third one would have come before the second
            RealServer.awaitUntil(() -> warnings.list.size() == 2);
            assertThat(warnings.list)
                    .allMatch(warning -> warning.getFormattedMessage().contains("7 seats take 700 of the 1000 bytes"));
        } finally {
            log.detachAppender(warnings);
        }
    }

    private static void takeUpTo(long bytes, SeatBudget budget) {
        while (budget.bytes() < bytes) {
            assertThat(budget.admits(100, 1000)).isTrue();
            budget.take(100);
        }
    }

    /** As many as there is room for. */
    private static List<LockHandle> acquireAll(ZooKeeperLockRegistry registry, String prefix) throws Exception {
        List<LockHandle> held = new ArrayList<>();
        try {
            for (int i = 100; ; i++) {
                held.add(registry.lock(prefix + i).acquire(LONG));
            }
        } catch (LockUnavailableException full) {
            assertThat(full).hasMessageContaining("bytes that this registry's session may use");
        }
        return held;
    }

    private static List<LockHandle> acquireAll(ZooKeeperLockRegistry registry, int count, String prefix) {
        List<CompletionStage<LockHandle>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(registry.lock(prefix + (100_000 + i)).acquireAsync());
        }
        return asked.stream().map(each -> each.toCompletableFuture().join()).toList();
    }

    /** What the server would write to close the only session that has nodes: PrepRequestProcessor, closeSession. */
    private int closingBytes() {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new CloseSessionTxn(Leftovers.seats(server)).serialize(BinaryOutputArchive.getArchive(bytes), "txn");
            return bytes.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CuratorFramework client(String servers, String namespace) {
        CuratorFramework client = ZooKeeperLockRegistry.clientBuilder()
                .connectString(servers)
                .namespace(namespace)
                .retryPolicy(new RetryOneTime(1))
                .build();
        client.start();
        return client;
    }

    private ZooKeeperLockRegistry.Builder registry() {
        return ZooKeeperLockRegistry.builder().connectString(server.connectString());
    }
}
