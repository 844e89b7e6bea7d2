package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
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
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Entries of the catalogue of failures that concern readers, writers and permits; each test begins with its id. Those of
 * M23 are in {@link CuratorDowngradeTest}, more of L20 in {@link SemaphoreTest}.
 */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class FailureCatalogueOfKindsTest {

    private static final String NAME = "/catalogue";
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final TcpProxy proxy = real.open(new TcpProxy(server.connectString()));
    private final ZooKeeperLockRegistry registry = real.open(RealServer.builder()
            .connectString(proxy.connectString())
            // no renewal comes between the messages that are cut
            .sessionTimeout(Duration.ofMinutes(10))
            .build());
    private final ZooKeeperLockRegistry other = real.registry();
    private final ClusterReadWriteLock ours = registry.readWriteLock(NAME);
    private final ClusterReadWriteLock theirs = other.readWriteLock(NAME);

    @AfterEach
    void heal() {
        proxy.heal();
    }

    @Test
    void m4NobodyReadsOnAWriteLockThatIsLost() throws Exception {
        ours.writeLock().lock();
        LockHandle writing = ours.writeLock().acquire();

        real.expire(registry);
        RealServer.awaitUntil(() -> writing.state() == LockState.LOST);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.readLock().lock());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.readLock().tryAcquire());
        LockHandle next = theirs.writeLock().acquire(LONG);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.readLock().acquire());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.writeLock().unlock());
        assertThat(ours.readLock().tryAcquire()).isEmpty();
        next.close();
        ours.readLock().acquire(LONG).close();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(writing::close);
    }

    @Test
    void m4ADowngradeOfALockThatIsLostKeepsNothing() throws Exception {
        ours.writeLock().lock();
        ours.readLock().lock();
        LockHandle reading = ours.readLock().acquire();

        real.expire(registry);
        RealServer.awaitUntil(() -> reading.state() == LockState.LOST);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.writeLock().unlock());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> ours.readLock().unlock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(reading::close);
        assertThat(registry.inspector().held()).isEmpty();
        LockHandle next = theirs.writeLock().acquire(LONG);
        assertThat(next.fencingToken()).isGreaterThan(reading.fencingToken());
        next.close();
    }

    @Test
    void m3AllReadersOfAProcessLoseWhatTheyShare() throws Exception {
        LockHandle first = ours.readLock().acquire();
        LockHandle second = ours.readLock().acquire();

        real.expire(registry);

        for (LockHandle handle : List.of(first, second)) {
            RealServer.awaitUntil(() -> handle.state() == LockState.LOST);
            assertThat(handle.isHeld()).isFalse();
            assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        }
        theirs.writeLock().acquire(LONG).close();
        ours.readLock().acquire(LONG).close();
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l1NoPermitIsLostToAConnectionThatIsCutAtTheCreate(Direction direction) throws Exception {
        ClusterSemaphore semaphore = registry.semaphore(NAME, 2);
        semaphore.acquire().close();
        AtomicInteger cuts = cutOnce(OpCode.create2, direction);

        LockHandle handle = semaphore.permits(2).acquire(LONG);

        RealServer.awaitUntil(() -> cuts.get() == 1);
        assertThat(Leftovers.seats(server)).hasSize(1);
        assertThat(other.semaphore(NAME, 2).tryAcquire()).isEmpty();
        RealServer.giveBack(handle);
        assertThat(other.semaphore(NAME, 2).availablePermits()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void l4DowngradeThatIsCutIsCarriedOutAllTheSame(Direction direction) throws Exception {
        Actor downgrading = real.actor("downgrading");
        downgrading.act(ours.writeLock()::lock);
        downgrading.act(ours.readLock()::lock);
        LockHandle reading = downgrading.run(ours.readLock()::acquire);
        AtomicInteger cuts = cutOnce(OpCode.multi, direction);

        downgrading.act(ours.writeLock()::unlock);

        LockHandle beside = theirs.readLock().acquire(LONG);
        RealServer.awaitUntil(() -> cuts.get() == 1);
        assertThat(Leftovers.seats(server)).hasSize(2);
        assertThat(theirs.writeLock().tryAcquire()).isEmpty();
        RealServer.awaitUntil(reading::isHeld);
        beside.close();
        downgrading.act(ours.readLock()::unlock);
        RealServer.giveBack(reading);
        theirs.writeLock().acquire(LONG).close();
    }

    @Test
    void l10ReaderWhoseSessionDiedWhileItWaitedQueuesAnew() throws Exception {
        LockHandle writing = theirs.writeLock().acquire();
        Future<LockHandle> wait = real.actor("reader").start(ours.readLock()::acquire);
        real.awaitSeats(2);
        String session = registry.inspector().session().id();

        real.expire(registry);

        RealServer.awaitUntil(() -> Leftovers.seats(server).size() == 2
                && registry.inspector().session().connected()
                && !registry.inspector().session().id().equals(session));
        assertThat(wait.isDone()).isFalse();
        writing.close();
        Actor.join(wait).close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void l20PermitsOfASessionThatDiesWakeTheWaiters(int dying) throws Exception {
        List<ZooKeeperLockRegistry> holders =
                Stream.generate(real::registry).limit(3).toList();
        for (ZooKeeperLockRegistry holder : holders) {
            holder.semaphore(NAME, 6).permits(2).acquire();
        }
        Future<LockHandle> first =
                real.actor("first").start(() -> other.semaphore(NAME, 6).acquire());
        real.awaitSeats(4);
        Future<LockHandle> second =
                real.actor("second").start(() -> registry.semaphore(NAME, 6).acquire());
        real.awaitSeats(5);

        real.expire(holders.get(dying));

        LockHandle one = Actor.join(first);
        LockHandle two = Actor.join(second);
        assertThat(other.semaphore(NAME, 6).tryAcquire()).isEmpty();
        one.close();
        two.close();
    }

    @Test
    void l20AWaiterWhoseSessionDiesLetsTheOnesBehindItIn() throws Exception {
        LockHandle holder = other.semaphore(NAME, 2).acquire();
        Future<LockHandle> large = real.actor("large")
                .start(() -> registry.semaphore(NAME, 2).permits(2).acquire());
        real.awaitSeats(2);
        ZooKeeperLockRegistry last = real.registry();
        Future<LockHandle> small =
                real.actor("small").start(() -> last.semaphore(NAME, 2).acquire());
        real.awaitSeats(3);

        real.expire(registry);

        LockHandle overtaking = Actor.join(small);
        real.awaitSeats(3);
        assertThat(large.isDone()).isFalse();
        overtaking.close();
        holder.close();
        Actor.join(large).close();
    }

    @Test
    void m21DeletedSeatOfAReaderIsALossToItAloneAndThatOfAWaitingWriterIsTakenAnew() throws Exception {
        LockHandle reading = theirs.readLock().acquire();
        ZooKeeperLockRegistry last = real.registry();
        LockHandle beside = last.readWriteLock(NAME).readLock().acquire();
        Future<LockHandle> writer = real.actor("writer")
                .start(() -> real.registry().readWriteLock(NAME).writeLock().acquire());
        real.awaitSeats(3);
        String waiting = last.inspector().queue(NAME).get(2).id();
        try (Operator operator = new Operator(server.connectString())) {
            operator.delete(seat(waiting));
            RealServer.awaitUntil(() -> last.inspector().queue(NAME).size() == 3
                    && !last.inspector().queue(NAME).get(2).id().equals(waiting));

            operator.delete(seat(other.inspector().held().get(0).seatId()));
        }

        RealServer.awaitUntil(() -> reading.state() == LockState.LOST);
        assertThat(beside.isHeld()).isTrue();
        assertThat(writer.isDone()).isFalse();
        beside.close();
        Actor.join(writer).close();
    }

    private String seat(String id) {
        return Leftovers.seats(server).stream()
                .filter(path -> path.contains(id))
                .findFirst()
                .orElseThrow();
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
