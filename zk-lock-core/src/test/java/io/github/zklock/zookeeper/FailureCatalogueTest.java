package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Operator;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import io.github.zklock.fixture.TcpProxy.Fate;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of the catalogue of failures that a real server and a bad connection can show; each test begins with its id. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class FailureCatalogueTest {

    private static final String NAME = "/catalogue";
    private static final String FOLDER = "/locks/catalogue";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final TcpProxy proxy = real.open(new TcpProxy(server.connectString()));
    private final ZooKeeperLockRegistry registry =
            real.open(RealServer.builder().connectString(proxy.connectString()).build());
    private final ZooKeeperLockRegistry other = real.registry();

    @BeforeEach
    void connect() throws Exception {
        registry.lock(NAME).acquire().close();
        RealServer.giveBack(other.lock(NAME).acquire(Duration.ofSeconds(60)));
    }

    @AfterEach
    void heal() {
        proxy.heal();
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l1NoSeatIsOrphanedByAConnectionThatIsCutAtTheCreate(Direction direction) throws Exception {
        AtomicInteger cuts = cutOnce(OpCode.create2, direction);

        LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60));

        RealServer.awaitUntil(() -> cuts.get() == 1);
        assertThat(Leftovers.seats(server)).hasSize(1);
        RealServer.awaitUntil(handle::isHeld);
        RealServer.giveBack(handle);
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

        RealServer.awaitUntil(() -> cuts.get() == times);
        assertThat(Leftovers.seats(server)).hasSize(1);
        RealServer.giveBack(handle);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l4ReleaseThatIsCutIsRepeatedUntilTheSeatIsGone(Direction direction) throws Exception {
        LockHandle handle = registry.lock(NAME).acquire();
        AtomicInteger cuts = cutOnce(OpCode.delete, direction);

        handle.close();

        Actor.join(handle.released().toCompletableFuture());
        RealServer.awaitUntil(() -> cuts.get() == 1);
        assertThat(Leftovers.seats(server)).isEmpty();
        other.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void l10WaiterWhoseSessionDiedQueuesAnew() throws Exception {
        LockHandle holder = other.lock(NAME).acquire();
        Future<LockHandle> wait =
                real.actor("waiter").start(() -> registry.lock(NAME).acquire());
        real.awaitSeats(2);
        String session = registry.inspector().session().id();

        real.expire(registry);

        RealServer.awaitUntil(() -> Leftovers.seats(server).size() == 2
                && registry.inspector().session().connected()
                && !registry.inspector().session().id().equals(session));
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void l13FolderThatIsCollectedWhileIdleIsMadeAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60));
            RealServer.giveBack(handle);
            collectFolder();
        }
    }

    /** Creates that arrive together beyond 2^31-1 get negative numbers. */
    @ParameterizedTest
    @ValueSource(ints = {2_000_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void m7SeatWhoseNumberIsPastTheLastIsRefusedAndTheQueueBeginsAnew(int creates) {
        server.setCreates(FOLDER, creates);

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> registry.lock(NAME).acquire(Duration.ofSeconds(60)))
                .withMessageContaining("the sequence numbers of its queue are used up at " + creates);

        RealServer.awaitUntil(() -> Leftovers.seats(server).isEmpty());
        RealServer.awaitUntil(() -> {
            try {
                other.lock(NAME).acquire(Duration.ofSeconds(60)).close();
                return true;
            } catch (LockUnavailableException stillUsedUp) {
                return false;
            }
        });
    }

    @Test
    void m12TokensRiseAlthoughTheSequenceBeginsAnewWithTheFolder() throws Exception {
        LockHandle before = registry.lock(NAME).acquire();
        RealServer.giveBack(before);
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
        CuratorFramework client = real.start(ZooKeeperLockRegistry.clientBuilder(), proxy.connectString());
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(client).build());
        LockHandle handle = ours.lock(NAME).acquire();
        proxy.refuse();
        RealServer.awaitUntil(() -> !ours.inspector().session().connected());

        // the client believes that its session is over, the server knows nothing of it
        client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
        RealServer.awaitUntil(() -> handle.state() == LockState.LOST);

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
                    real.actor("waiter " + i).start(() -> registry.lock(NAME).acquire());
            RealServer.awaitUntil(() -> server.watches() == 1);
            holder.close();
            LockHandle next = Actor.join(wait);
            RealServer.giveBack(next);
        }

        assertThat(server.watches()).isZero();
    }

    @Test
    void m3NothingSucceedsAfterALossButToStartAnew() throws Exception {
        registry.lock(NAME).lock();
        LockHandle handle = registry.lock(NAME).acquire();

        real.expire(registry);
        RealServer.awaitUntil(() -> handle.state() == LockState.LOST);

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
        Future<LockHandle> wait =
                real.actor("waiter").start(() -> registry.lock(NAME).acquire());
        real.awaitSeats(2);
        String waiting = registry.inspector().queue(NAME).get(1).id();
        try (Operator operator = new Operator(server.connectString())) {
            operator.delete(Leftovers.seats(server).stream()
                    .filter(path -> path.contains(waiting))
                    .findFirst()
                    .orElseThrow());
            real.awaitSeats(2);

            operator.delete(Leftovers.seats(server).stream()
                    .filter(path -> !path.contains(waiting))
                    .min(Comparator.comparing(path -> path.substring(path.length() - 10)))
                    .orElseThrow());
        }

        RealServer.awaitUntil(() -> holder.state() == LockState.LOST);
        LockHandle next = Actor.join(wait);
        assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
        next.close();
    }

    /** Has the lock's folder collected as soon as the last seat is gone. */
    private void collectFolder() {
        RealServer.awaitUntil(() -> {
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
}
