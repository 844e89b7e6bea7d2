package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Fate;
import io.github.zklock.fixture.TcpProxy.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * S9, L11: a thread is interrupted, or its registry closed, while each of its messages is held up on the way, from the
 * first request of the acquisition to the last reply of the release. Whatever comes of it, the queue is clean
 * afterwards and the next one is served. The steps are discovered by running: a step that does not come is the end. (The
 * reply to the last delete may or may not count as one: nobody waits for it.)
 */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterruptSweepTest {

    private static final String NAME = "/swept";
    private static final int MORE_STEPS_THAN_THERE_ARE = 40;

    private LocalZooKeeper server;
    private TcpProxy proxy;
    private ZooKeeperLockRegistry other;
    private ZooKeeperLockRegistry registry;
    private Actor actor;

    /** Holds the message with this number up, until released. */
    private static final class Stop {

        private final int step;
        private final AtomicInteger seen = new AtomicInteger();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        Stop(int step) {
            this.step = step;
        }

        Fate decide(Message message) {
            boolean counts = message.operation() != OpCode.ping && message.operation() != OpCode.createSession;
            if (counts && seen.getAndIncrement() == step) {
                reached.countDown();
                await(goOn);
            }
            return Fate.PASS;
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeAll
    void startServer() throws Exception {
        server = new LocalZooKeeper();
        proxy = new TcpProxy(server.connectString());
        other = builder(server.connectString()).build();
        other.lock(NAME).acquire().close();
    }

    @BeforeEach
    void startActor() {
        actor = new Actor("swept");
    }

    @AfterEach
    void stopActor() {
        proxy.heal();
        actor.close();
        if (registry != null) {
            registry.close();
        }
    }

    @AfterAll
    void leaveNothing() {
        other.close();
        proxy.close();
        Leftovers.assertNone(server);
        server.close();
    }

    @Test
    void interruptAtEachStepOfTakingAFreeLock() throws Exception {
        connect();

        int steps = sweep(() -> {
            registry.lock(NAME).acquire().close();
            return true;
        });

        assertThat(steps).isGreaterThanOrEqualTo(5);
    }

    @Test
    void interruptAtEachStepOfAFailedTry() throws Exception {
        connect();
        try (LockHandle holder = other.lock(NAME).acquire()) {

            int steps = sweepOnce(() -> registry.lock(NAME).tryAcquire().isPresent(), () -> {
                assertThat(holder.isHeld()).isTrue();
                assertThat(Leftovers.seats(server)).hasSize(1);
            });

            assertThat(steps).isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void interruptAtEachStepOfWaitingBehindAHolder() throws Exception {
        connect();

        int steps = 0;
        while (steps < MORE_STEPS_THAN_THERE_ARE) {
            LockHandle holder = other.lock(NAME).acquire();
            Stop stop = new Stop(steps);
            proxy.intercept(stop::decide);
            Future<?> wait = actor.startAct(() -> registry.lock(NAME).acquire().close());
            // the holder leaves once its successor waits, so that the steps of being woken are swept as well
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> stop.reached.getCount() == 0 || server.watches() == 1 || wait.isDone());
            if (stop.reached.getCount() > 0) {
                holder.close();
            }
            boolean hit = reachedOrDone(stop, wait);
            actor.interrupt();
            stop.goOn.countDown();
            finish(wait);
            holder.close();
            proxy.heal();
            assertClean();
            if (!hit) {
                break;
            }
            steps++;
        }

        assertThat(steps).isGreaterThanOrEqualTo(9);
    }

    @Test
    void interruptAtEachStepOfALockThatIsNotInterruptibleSetsTheFlag() throws Exception {
        connect();

        int steps = 0;
        while (steps < MORE_STEPS_THAN_THERE_ARE) {
            Stop stop = new Stop(steps);
            proxy.intercept(stop::decide);
            Future<Boolean> hold = actor.start(() -> {
                registry.lock(NAME).lock();
                boolean held = !registry.inspector().held().isEmpty();
                registry.lock(NAME).unlock();
                return held;
            });
            boolean hit = reachedOrDone(stop, hold);
            actor.interrupt();
            stop.goOn.countDown();
            assertThat(Actor.join(hold)).isTrue();
            proxy.heal();
            assertClean();
            if (!hit) {
                break;
            }
            steps++;
        }

        assertThat(steps).isGreaterThanOrEqualTo(5);
    }

    @Test
    void closeOfTheRegistryAtEachStepOfTakingAndReleasing() throws Exception {
        int steps = 0;
        while (steps < MORE_STEPS_THAN_THERE_ARE) {
            connect();
            Stop stop = new Stop(steps);
            proxy.intercept(stop::decide);
            Future<?> hold = actor.startAct(() -> registry.lock(NAME).acquire().close());
            boolean hit = reachedOrDone(stop, hold);
            Actor closer = new Actor("closer");
            Future<?> closed = closer.startAct(() -> registry.close());
            stop.goOn.countDown();
            finish(hold);
            Actor.join(closed);
            closer.close();
            proxy.heal();
            assertClean();
            if (!hit) {
                break;
            }
            steps++;
        }

        assertThat(steps).isGreaterThanOrEqualTo(4);
    }

    private int sweep(Callable<Boolean> attempt) throws Exception {
        return sweepOnce(attempt, this::assertClean);
    }

    /** How many steps there were. */
    private int sweepOnce(Callable<Boolean> attempt, Actor.Step check) throws Exception {
        for (int step = 0; step < MORE_STEPS_THAN_THERE_ARE; step++) {
            Stop stop = new Stop(step);
            proxy.intercept(stop::decide);
            Future<Boolean> run = actor.start(attempt);
            boolean hit = reachedOrDone(stop, run);
            actor.interrupt();
            stop.goOn.countDown();
            finish(run);
            proxy.heal();
            check.run();
            if (!hit) {
                return step;
            }
        }
        throw new AssertionError("There is no end of steps");
    }

    /**
     * Whether the step was reached; false if the attempt ended, and nothing more is on its way, before it was.
     */
    private boolean reachedOrDone(Stop stop, Future<?> attempt) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> stop.reached.getCount() == 0 || (attempt.isDone() && areOursGone() && isQuiet()));
        return stop.reached.getCount() == 0;
    }

    private boolean areOursGone() {
        return Leftovers.seats(server).size() == other.inspector().held().size();
    }

    private boolean isQuiet() {
        return registry.inspector().held().isEmpty()
                && registry.inspector().awaited().isEmpty();
    }

    private static void finish(Future<?> attempt) {
        try {
            Actor.join(attempt);
        } catch (Exception interrupted) {
            assertThat(interrupted).isInstanceOfAny(InterruptedException.class, LockException.class);
        }
    }

    private void assertClean() {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> {
                    assertThat(Leftovers.seats(server)).isEmpty();
                    assertThat(server.watches()).isZero();
                });
        assertThat(other.inspector().held()).isEmpty();
    }

    private void connect() throws Exception {
        proxy.heal();
        registry = builder(proxy.connectString()).build();
        Optional<LockHandle> first = registry.lock(NAME).tryAcquire(Duration.ofSeconds(60));
        first.orElseThrow().close();
        assertClean();
    }

    // so long that no renewal comes between the steps
    private static ZooKeeperLockRegistry.Builder builder(String connectString) {
        return ZooKeeperLockRegistry.builder().connectString(connectString).sessionTimeout(Duration.ofMinutes(10));
    }
}
