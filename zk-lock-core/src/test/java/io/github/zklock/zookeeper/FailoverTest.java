package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalEnsemble;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Locks on three servers of which some, or all, stop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailoverTest {

    private static final Duration SESSION = Duration.ofSeconds(30);
    private static final String NAME = "/failover";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private LocalEnsemble ensemble;

    @BeforeAll
    void startEnsemble() {
        ensemble = new LocalEnsemble();
    }

    @AfterEach
    void leaveNothing() throws Exception {
        ensemble.startAll();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Leftovers.assertNoThreads();
    }

    @AfterAll
    void stopEnsemble() {
        ensemble.close();
    }

    @Test
    void holderKeepsItsLockWhenItsServerStops() throws Exception {
        int own = follower();
        ZooKeeperLockRegistry holder = open(SESSION, own);
        ZooKeeperLockRegistry other = open(SESSION, ensemble.leader().orElseThrow());
        LockHandle handle = holder.lock(NAME).acquire();
        String session = holder.inspector().session().id();

        ensemble.stop(own);

        awaitUntil(() -> holder.inspector().session().connected() && handle.isHeld());
        assertThat(holder.inspector().session().id()).isEqualTo(session);
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    @Test
    void holderKeepsItsLockWhenTheLeaderStops() throws Exception {
        int leader = ensemble.awaitLeader();
        ZooKeeperLockRegistry holder = open(SESSION, leader);
        LockHandle handle = holder.lock(NAME).acquire();

        ensemble.stop(leader);
        ensemble.awaitLeader();

        awaitUntil(() -> holder.inspector().session().connected() && handle.isHeld());
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    @Test
    void waiterKeepsItsPlaceWhenItsServerStops() throws Exception {
        int own = follower();
        ZooKeeperLockRegistry holder = open(SESSION, ensemble.leader().orElseThrow());
        ZooKeeperLockRegistry waiter = open(SESSION, own);
        LockHandle handle = holder.lock(NAME).acquire();
        Future<LockHandle> wait = actor("waiter").start(() -> waiter.lock(NAME).acquire());
        awaitUntil(() -> holder.inspector().queue(NAME).size() == 2);
        String seat = holder.inspector().queue(NAME).get(1).id();

        ensemble.stop(own);
        awaitUntil(() -> waiter.inspector().session().connected()
                && waiter.inspector().queue(NAME).size() == 2);

        assertThat(holder.inspector().queue(NAME).get(1).id()).isEqualTo(seat);
        assertThat(wait.isDone()).isFalse();
        handle.close();
        Actor.join(wait).close();
    }

    @Test
    void locksOutlastARestartOfAllServersWithinTheSession() throws Exception {
        ZooKeeperLockRegistry holder = open(SESSION);
        ZooKeeperLockRegistry waiter = open(SESSION);
        LockHandle handle = holder.lock(NAME).acquire();
        Future<LockHandle> wait = actor("waiter").start(() -> waiter.lock(NAME).acquire());
        awaitUntil(() -> holder.inspector().queue(NAME).size() == 2);

        ensemble.stopAll();
        ensemble.startAll();

        awaitUntil(() -> holder.inspector().session().connected() && handle.isHeld());
        assertThat(wait.isDone()).isFalse();
        handle.close();
        Actor.join(wait).close();
    }

    @Test
    void m2WaiterIsNotGrantedTheSeatOfItsDeadSessionAfterALongOutage() throws Exception {
        Duration brief = Duration.ofSeconds(6);
        ZooKeeperLockRegistry holder = open(brief);
        ZooKeeperLockRegistry waiter = open(brief);
        LockHandle handle = holder.lock(NAME).acquire();
        Future<LockHandle> wait = actor("waiter").start(() -> waiter.lock(NAME).acquire());
        awaitUntil(() -> holder.inspector().queue(NAME).size() == 2);

        ensemble.stopAll();
        // the client gives its session up by its own opinion, long before the servers can
        awaitUntil(() -> handle.state() == LockState.LOST);
        ensemble.startAll();

        LockHandle next = Actor.join(wait);
        assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
        assertThat(waiter.inspector().queue(NAME).get(0).sessionId())
                .isEqualTo(waiter.inspector().session().id());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        next.close();
    }

    /** A server that does not lead. */
    private int follower() {
        return (ensemble.awaitLeader() + 1) % LocalEnsemble.SIZE;
    }

    /** A registry that knows all servers, connected to this one. */
    private ZooKeeperLockRegistry open(Duration session, int server) throws InterruptedException {
        while (true) {
            ZooKeeperLockRegistry registry = open(session);
            registry.lock("/warm").acquire().close();
            if (ensemble.serves(
                    server,
                    Long.parseUnsignedLong(registry.inspector().session().id(), 16))) {
                return registry;
            }
            registry.close();
        }
    }

    private ZooKeeperLockRegistry open(Duration session) {
        ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                .connectString(ensemble.connectString())
                .sessionTimeout(session)
                .retry(Duration.ofMillis(10), Duration.ofMillis(100))
                .build();
        opened.push(registry);
        return registry;
    }

    private Actor actor(String name) {
        Actor actor = new Actor(name);
        opened.push(actor);
        return actor;
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .ignoreExceptions()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }
}
