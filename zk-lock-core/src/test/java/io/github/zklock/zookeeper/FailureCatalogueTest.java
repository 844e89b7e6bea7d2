package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Operator;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import io.github.zklock.fixture.TcpProxy.Fate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of the catalogue of failures that a real server and a bad connection can show; each test begins with its id. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class FailureCatalogueTest {

    private static final String NAME = "/catalogue";
    private static final String FOLDER = "/locks/catalogue";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private LocalZooKeeper server;
    private TcpProxy proxy;
    private ZooKeeperLockRegistry registry;
    private ZooKeeperLockRegistry other;

    @BeforeEach
    void connect() throws Exception {
        server = new LocalZooKeeper();
        proxy = open(new TcpProxy(server.connectString()));
        registry = open(builder().connectString(proxy.connectString()).build());
        other = open(builder().connectString(server.connectString()).build());
        registry.lock(NAME).acquire().close();
        other.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @AfterEach
    void leaveNothing() throws Exception {
        proxy.heal();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Leftovers.assertNone(server);
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l1NoSeatIsOrphanedByAConnectionThatIsCutAtTheCreate(Direction direction) throws Exception {
        AtomicInteger cuts = cutOnce(OpCode.create2, direction);

        LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60));

        assertThat(cuts).hasValue(1);
        assertThat(Leftovers.seats(server)).hasSize(1);
        assertThat(handle.isHeld()).isTrue();
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
        assertThat(Leftovers.seats(server)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void l3SeveralCutsInARowWithinOneAcquireLeaveOneSeat(int times) throws Exception {
        AtomicInteger cuts = new AtomicInteger();
        proxy.intercept(message -> {
            boolean ours = message.direction() == Direction.REPLY
                    && (message.operation() == OpCode.create2 || message.operation() == OpCode.sync);
            return ours && cuts.get() < times && cuts.incrementAndGet() <= times ? Fate.CUT_BEFORE : Fate.PASS;
        });

        LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60));

        assertThat(cuts).hasValue(times);
        assertThat(Leftovers.seats(server)).hasSize(1);
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l4ReleaseThatIsCutIsRepeatedUntilTheSeatIsGone(Direction direction) throws Exception {
        LockHandle handle = registry.lock(NAME).acquire();
        AtomicInteger cuts = cutOnce(OpCode.delete, direction);

        handle.close();

        Actor.join(handle.released().toCompletableFuture());
        assertThat(cuts).hasValue(1);
        assertThat(Leftovers.seats(server)).isEmpty();
        other.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void l10WaiterWhoseSessionDiedQueuesAnew() throws Exception {
        LockHandle holder = other.lock(NAME).acquire();
        Future<LockHandle> wait = actor().start(() -> registry.lock(NAME).acquire());
        awaitUntil(() -> Leftovers.seats(server).size() == 2);
        String session = registry.inspector().session().id();

        server.expire(sessionOf(registry));

        awaitUntil(() -> Leftovers.seats(server).size() == 2
                && registry.inspector().session().connected()
                && !registry.inspector().session().id().equals(session));
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void l13FolderThatIsCollectedWhileIdleIsMadeAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60));
            handle.close();
            Actor.join(handle.released().toCompletableFuture());
            collectFolder();
        }
    }

    @Test
    void m12TokensRiseAlthoughTheSequenceBeginsAnewWithTheFolder() throws Exception {
        LockHandle before = registry.lock(NAME).acquire();
        before.close();
        Actor.join(before.released().toCompletableFuture());
        collectFolder();

        LockHandle after = other.lock(NAME).acquire(Duration.ofSeconds(60));

        assertThat(Leftovers.seats(server)).singleElement().asString().endsWith("0000000000");
        assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        after.close();
    }

    @Test
    void m12LateReleaseSparesTheSeatThatHasTheSameSequenceInANewFolder() throws Exception {
        collectFolder();
        LockHandle late = registry.lock(NAME).acquire();
        proxy.pause(Direction.REQUEST);
        late.close();
        try (Operator operator = new Operator(server.connectString())) {
            operator.delete(Leftovers.seats(server).get(0));
        }
        collectFolder();
        LockHandle next = other.lock(NAME).acquire(Duration.ofSeconds(60));
        assertThat(Leftovers.seats(server)).singleElement().asString().endsWith("0000000000");

        proxy.heal();

        Actor.join(late.released().toCompletableFuture());
        assertThat(Leftovers.seats(server)).hasSize(1);
        assertThat(next.isHeld()).isTrue();
        next.close();
    }

    @Test
    void l21SessionThatThisSideGaveUpIsReleasedOnlyWhenTheSeatIsSeenGone() throws Exception {
        CuratorFramework client = start(ZooKeeperLockRegistry.clientBuilder(), proxy.connectString());
        ZooKeeperLockRegistry ours = open(builder().client(client).build());
        LockHandle handle = ours.lock(NAME).acquire();
        proxy.refuse();
        awaitUntil(() -> !ours.inspector().session().connected());

        // the client believes that its session is over, the server knows nothing of it
        client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
        awaitUntil(() -> handle.state() == LockState.LOST);

        assertThat(Leftovers.seats(server)).hasSize(1);
        assertThat(handle.released().toCompletableFuture().isDone()).isFalse();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        proxy.heal();
        Actor.join(handle.released().toCompletableFuture());
        assertThat(Leftovers.seats(server)).isEmpty();
    }

    @Test
    void l23WaitsLeaveNoWatchOnVanishedPredecessors() throws Exception {
        for (int i = 0; i < 20; i++) {
            LockHandle holder = other.lock(NAME).acquire(Duration.ofSeconds(60));
            Future<LockHandle> wait =
                    actor("waiter " + i).start(() -> registry.lock(NAME).acquire());
            awaitUntil(() -> server.watches() == 1);
            holder.close();
            LockHandle next = Actor.join(wait);
            next.close();
            Actor.join(next.released().toCompletableFuture());
        }

        assertThat(server.watches()).isZero();
    }

    @Test
    void m3NothingSucceedsAfterALossButToStartAnew() throws Exception {
        registry.lock(NAME).lock();
        LockHandle handle = registry.lock(NAME).acquire();

        server.expire(sessionOf(registry));
        awaitUntil(() -> handle.state() == LockState.LOST);

        assertThat(handle.isHeld()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.lock(NAME).lock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.lock(NAME).unlock());
        registry.lock(NAME).lock();
        registry.lock(NAME).unlock();
    }

    @Test
    void m21DeletedSeatOfAHolderIsALossAndThatOfAWaiterIsTakenAnew() throws Exception {
        LockHandle holder = other.lock(NAME).acquire();
        Future<LockHandle> wait = actor().start(() -> registry.lock(NAME).acquire());
        awaitUntil(() -> Leftovers.seats(server).size() == 2);
        String waiting = registry.inspector().queue(NAME).get(1).id();
        try (Operator operator = new Operator(server.connectString())) {
            operator.delete(Leftovers.seats(server).stream()
                    .filter(path -> path.contains(waiting))
                    .findFirst()
                    .orElseThrow());
            awaitUntil(() -> Leftovers.seats(server).size() == 2);

            operator.delete(Leftovers.seats(server).stream()
                    .filter(path -> !path.contains(waiting))
                    .min(Comparator.comparing(path -> path.substring(path.length() - 10)))
                    .orElseThrow());
        }

        awaitUntil(() -> holder.state() == LockState.LOST);
        LockHandle next = Actor.join(wait);
        assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
        next.close();
    }

    @Test
    void m24ResetOfASharedClientIsToldBeforeTheSeatIsGone() throws Exception {
        CuratorFramework shared = start(ZooKeeperLockRegistry.clientBuilder(), server.connectString());
        ZooKeeperLockRegistry ours = open(builder().client(shared).build());
        LockHandle handle = ours.lock(NAME).acquire();

        shared.getZookeeperClient().reset();
        boolean heldAfter = handle.isHeld();

        // the close of the session is sent by reset(); it returns after that
        assertThat(heldAfter).isFalse();
        awaitUntil(() -> handle.state() == LockState.LOST);
        ours.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void m24ForeignClientThatIsClosedEndsItsLocks() throws Exception {
        CuratorFramework foreign = start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours = open(builder().client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();

        foreign.close();

        awaitUntil(() -> handle.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        other.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void m24ForeignClientThatIsResetEndsItsLocksAndServesAnew() throws Exception {
        CuratorFramework foreign = start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours = open(builder().client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();

        foreign.getZookeeperClient().reset();

        awaitUntil(() -> handle.state() == LockState.LOST);
        try (LockHandle next = ours.lock(NAME).acquire(Duration.ofSeconds(60))) {
            assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
        }
    }

    @Test
    void foreignClientIsLeftOpenByTheRegistry() throws Exception {
        CuratorFramework foreign = start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours = open(builder().client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();

        ours.close();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(foreign.checkExists().forPath("/locks")).isNotNull();
        awaitUntil(() -> Leftovers.seats(server).isEmpty());
    }

    /** Has the lock's folder collected as soon as the last seat is gone. */
    private void collectFolder() {
        awaitUntil(() -> {
            server.collectContainers();
            return server.stat(FOLDER).isEmpty();
        });
    }

    /** Cuts the connection once, at a message of this operation. */
    private AtomicInteger cutOnce(int operation, Direction direction) {
        AtomicInteger cuts = new AtomicInteger();
        proxy.intercept(message ->
                message.operation() == operation && message.direction() == direction && cuts.compareAndSet(0, 1)
                        ? Fate.CUT_BEFORE
                        : Fate.PASS);
        return cuts;
    }

    private static ZooKeeperLockRegistry.Builder builder() {
        return ZooKeeperLockRegistry.builder()
                .sessionTimeout(Duration.ofSeconds(3))
                .retry(Duration.ofMillis(10), Duration.ofMillis(100));
    }

    private CuratorFramework start(CuratorFrameworkFactory.Builder builder, String connectString) {
        CuratorFramework client = open(builder.connectString(connectString)
                .sessionTimeoutMs(4_000)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        return client;
    }

    private static long sessionOf(ZooKeeperLockRegistry any) {
        return Long.parseUnsignedLong(any.inspector().session().id(), 16);
    }

    private <T extends AutoCloseable> T open(T each) {
        opened.push(each);
        return each;
    }

    private Actor actor() {
        return actor("actor");
    }

    private Actor actor(String name) {
        return open(new Actor(name));
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }
}
