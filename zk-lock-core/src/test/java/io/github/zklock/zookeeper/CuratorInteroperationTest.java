package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockMismatchException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.Revoker;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One lock shared with services that still use Curator's recipes on the same path. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class CuratorInteroperationTest {

    private static final String NAME = "/shared";
    private static final String PATH = "/locks/shared";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final ZooKeeperLockRegistry registry = real.registry();
    private final CuratorFramework curator = real.foreigner();

    @Test
    void curatorKeepsUsOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();

        assertThat(registry.lock(NAME).tryAcquire()).isEmpty();

        Future<LockHandle> wait =
                real.actor("ours").start(() -> registry.lock(NAME).acquire());
        real.awaitSeats(2);
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void weKeepCuratorOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        LockHandle handle = registry.lock(NAME).acquire();

        assertThat(mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();

        Actor theirs = real.actor("theirs");
        Future<?> wait = theirs.startAct(mutex::acquire);
        real.awaitSeats(2);
        handle.close();
        Actor.join(wait);
        theirs.act(mutex::release);
    }

    @Test
    void noTwoAreInsideUnderLoad() {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        int rounds = 40;
        int[] counter = new int[1];
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            work.add(real.actor("ours " + i).startAct(() -> {
                for (int round = 0; round < rounds; round++) {
                    registry.lock(NAME).lock();
                    increment(counter);
                    registry.lock(NAME).unlock();
                }
            }));
            work.add(real.actor("theirs " + i).startAct(() -> {
                for (int round = 0; round < rounds; round++) {
                    mutex.acquire();
                    increment(counter);
                    mutex.release();
                }
            }));
        }

        work.forEach(Actor::join);

        assertThat(counter[0]).isEqualTo(6 * rounds);
    }

    @Test
    void allAreServedInTheOrderOfTheirArrival() throws Exception {
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        InterProcessMutex holder = new InterProcessMutex(curator, PATH);
        ZooKeeperLockRegistry other = real.registry();
        holder.acquire();
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ZooKeeperLockRegistry ours = i == 0 ? registry : other;
            if (i < 2) {
                waits.add(serve(
                        served,
                        "ours " + i,
                        () -> ours.lock(NAME).lock(),
                        () -> ours.lock(NAME).unlock()));
                real.awaitSeats(2 * i + 2);
            }
            InterProcessMutex theirs = new InterProcessMutex(curator, PATH);
            waits.add(serve(served, "theirs " + i, theirs::acquire, theirs::release));
            real.awaitSeats(Math.min(2 * i + 3, 6));
        }

        holder.release();
        waits.forEach(Actor::join);

        assertThat(served).containsExactly("ours 0", "theirs 0", "ours 1", "theirs 1", "theirs 2");
    }

    @Test
    void inspectorTellsCuratorsHolderWithoutAnOwner() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        Future<LockHandle> wait =
                real.actor("ours").start(() -> registry.lock(NAME).acquire());
        real.awaitSeats(2);

        List<Seat> queue = registry.inspector().queue(NAME);

        assertThat(queue).hasSize(2);
        assertThat(queue.get(0).owner()).isEmpty();
        assertThat(queue.get(0).sessionId())
                .isEqualTo(Long.toHexString(
                        curator.getZookeeperClient().getZooKeeper().getSessionId()));
        assertThat(queue.get(1).owner()).isPresent();
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void evictionPutsCuratorsHolderOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        String head = registry.inspector().queue(NAME).get(0).id();

        assertThat(registry.inspector().evict(NAME, head)).isTrue();

        LockHandle next = registry.lock(NAME).acquire(Duration.ofSeconds(60));
        assertThat(mutex.getParticipantNodes())
                .singleElement()
                .asString()
                .contains(registry.inspector().held().get(0).seatId());
        next.close();
    }

    @Test
    void m25RewritingThePredecessorGrantsNothing() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        Future<LockHandle> wait =
                real.actor("ours").start(() -> registry.lock(NAME).acquire());
        real.awaitSeats(2);
        RealServer.awaitUntil(() -> server.watches() == 1);
        long readsBefore = server.traffic().total("getData");

        Revoker.attemptRevoke(curator, mutex.getParticipantNodes().iterator().next());

        // the event has arrived: the predecessor is read and watched again
        RealServer.awaitUntil(() -> server.traffic().total("getData") > readsBefore && server.watches() == 1);
        assertThat(server.traffic().total("event NodeDataChanged")).isEqualTo(1);
        assertThat(wait.isDone()).isFalse();
        assertThat(registry.inspector().held()).isEmpty();
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void nestedLocksOfOursDoNotBlockCuratorOnTheParent() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        List<LockHandle> nested = new ArrayList<>();
        for (String below : List.of("42", "-1", "0", "%2F", "lock-", "_", "!", "a")) {
            nested.add(registry.lock(NAME + "/" + below).acquire());
        }

        boolean acquired = mutex.acquire(60, TimeUnit.SECONDS);

        assertThat(acquired).isTrue();
        mutex.release();
        nested.forEach(LockHandle::close);
    }

    @Test
    void curatorOnANestedPathDoesNotBlockUsOnTheParent() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH + "/0");
        mutex.acquire();

        try (LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60))) {

            assertThat(handle.isHeld()).isTrue();
        }
        mutex.release();
    }

    @Test
    void seatOfAnotherKindIsRefused() throws Exception {
        InterProcessReadWriteLock readWrite = new InterProcessReadWriteLock(curator, PATH);
        readWrite.writeLock().acquire();

        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> registry.lock(NAME).acquire())
                .withMessageContaining("'" + NAME + "'");

        real.awaitSeats(1);
        readWrite.writeLock().release();
    }

    @Test
    void childrenThatAreNoSeatsAreIgnored() throws Exception {
        try (Operator operator = new Operator(server.connectString())) {
            operator.create(PATH + "/notes", "by hand", CreateMode.PERSISTENT);
            operator.create(PATH + "/backup-0000000000", "", CreateMode.PERSISTENT);
        }

        try (LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60))) {

            assertThat(handle.isHeld()).isTrue();
            assertThat(registry.inspector().queue(NAME)).hasSize(1);
        }
    }

    @Test
    void ownerDescriptionsOfOthersAreNotTrusted() throws Exception {
        try (Operator operator = new Operator(server.connectString())) {
            String hostile = "{\"instance\":\"" + "x".repeat(2_000) + "\",\"pid\":\"rm -rf\",\"since\":\"never\"}";
            operator.create(PATH + "/lock-", hostile, CreateMode.EPHEMERAL_SEQUENTIAL);
            operator.create(PATH + "/lock-", "{{{{", CreateMode.EPHEMERAL_SEQUENTIAL);
            operator.create(PATH + "/lock-", hostile.repeat(100), CreateMode.EPHEMERAL_SEQUENTIAL);

            List<Seat> queue = registry.inspector().queue(NAME);

            assertThat(queue).hasSize(3);
            assertThat(queue.get(0).owner().orElseThrow().instance()).hasSizeLessThan(300);
            assertThat(queue.get(0).owner().orElseThrow().pid()).isZero();
            assertThat(queue.get(0).owner().orElseThrow().since()).isNull();
            assertThat(queue.get(1).owner()).isEmpty();
            assertThat(queue.get(2).owner()).isEmpty();
        }
    }

    private Future<?> serve(List<String> served, String who, Actor.Step acquire, Actor.Step release) {
        return real.actor(who).startAct(() -> {
            acquire.run();
            served.add(who);
            release.run();
        });
    }

    // not atomic on purpose: two at once would lose an increment
    private static void increment(int[] counter) {
        int seen = counter[0];
        Thread.onSpinWait();
        counter[0] = seen + 1;
    }
}
