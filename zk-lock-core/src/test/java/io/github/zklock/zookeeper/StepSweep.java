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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Disturbs an attempt once for each message that it sends or gets, while that message is held up on the way. The steps
 * are discovered by running: a step that does not come is the end. (The reply to the last delete may or may not count as
 * one: nobody waits for it.)
 */
final class StepSweep implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    static final String NAME = "/swept";

    private static final int MORE_STEPS_THAN_THERE_ARE = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final TcpProxy proxy = new TcpProxy(server.connectString());
    private final ZooKeeperLockRegistry other = builder(server.connectString()).build();

    private Actor actor;
    private ZooKeeperLockRegistry registry;

    /** What is done at each step while the message is held up. */
    @FunctionalInterface
    interface Disturbance {
        void happen(Actor disturbed) throws Exception;
    }

    /** Holds the message with this number up, until released. */
    private static final class Stop {

        private final int step;
        private final AtomicInteger seen = new AtomicInteger();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        Stop(int step) {
            this.step = step;
        }

        boolean isReached() {
            return reached.getCount() == 0;
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
                latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    LocalZooKeeper server() {
        return server;
    }

    /** The registry that is disturbed. */
    ZooKeeperLockRegistry registry() {
        return registry;
    }

    /** One that is not. */
    ZooKeeperLockRegistry other() {
        return other;
    }

    /** Interrupts the attempt at each step, and then asserts that nothing is left; says how many steps there were. */
    int interrupting(Callable<?> attempt) throws Exception {
        return sweep(attempt, Actor::interrupt, this::assertClean);
    }

    /** Closes the registry at each step of the attempt, and goes on with a new one. */
    int closing(Callable<?> attempt) throws Exception {
        try (Actor closer = new Actor("closer")) {
            Deque<Future<?>> closes = new ArrayDeque<>();
            return sweep(attempt, disturbed -> closes.push(closer.startAct(registry::close)), () -> {
                Actor.join(closes.pop());
                assertClean();
                registry = connect();
            });
        }
    }

    /** How many steps there were. */
    int sweep(Callable<?> attempt, Disturbance disturbance, Actor.Step check) throws Exception {
        for (int step = 0; step < MORE_STEPS_THAN_THERE_ARE; step++) {
            Stop stop = stopAt(step);
            boolean hit = disturb(stop, actor.start(attempt), disturbance);
            check.run();
            if (!hit) {
                return step;
            }
        }
        throw new AssertionError("There is no end of steps");
    }

    /**
     * As {@link #interrupting}, for an attempt that has to wait for a holder, who leaves once it does: the steps of being
     * woken are swept as well.
     */
    int interruptingBehind(Callable<LockHandle> obstacle, Callable<?> attempt) throws Exception {
        for (int step = 0; step < MORE_STEPS_THAN_THERE_ARE; step++) {
            LockHandle holder = obstacle.call();
            Stop stop = stopAt(step);
            Future<?> run = actor.start(attempt);
            RealServer.awaitUntil(() -> stop.isReached() || server.watches() == 1 || run.isDone());
            if (!stop.isReached()) {
                holder.close();
            }
            boolean hit = disturb(stop, run, Actor::interrupt);
            holder.close();
            assertClean();
            if (!hit) {
                return step;
            }
        }
        throw new AssertionError("There is no end of steps");
    }

    void assertClean() {
        Awaitility.await()
                .pollInSameThread()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> {
                    assertThat(Leftovers.seats(server)).isEmpty();
                    assertThat(server.watches()).isZero();
                });
        assertThat(other.inspector().held()).isEmpty();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        actor = new Actor("swept");
        registry = connect();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        proxy.heal();
        actor.close();
        registry.close();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        other.close();
        proxy.close();
        Leftovers.assertNone(server);
        server.close();
    }

    private Stop stopAt(int step) {
        Stop stop = new Stop(step);
        proxy.intercept(stop::decide);
        return stop;
    }

    private boolean disturb(Stop stop, Future<?> attempt, Disturbance disturbance) throws Exception {
        boolean hit = reachedOrDone(stop, attempt);
        disturbance.happen(actor);
        stop.goOn.countDown();
        finish(attempt);
        proxy.heal();
        return hit;
    }

    /** Whether the step was reached; false if the attempt ended, and nothing more is on its way, before it was. */
    private boolean reachedOrDone(Stop stop, Future<?> attempt) {
        RealServer.awaitUntil(() -> stop.isReached() || (attempt.isDone() && areOursGone() && isQuiet()));
        return stop.isReached();
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

    /** A registry that is connected and knows the lock's folder. */
    private ZooKeeperLockRegistry connect() {
        proxy.heal();
        ZooKeeperLockRegistry next = builder(proxy.connectString()).build();
        Actor.join(next.lock(NAME).acquireAsync()).close();
        assertClean();
        return next;
    }

    // so long that no renewal comes between the steps
    private static ZooKeeperLockRegistry.Builder builder(String connectString) {
        return ZooKeeperLockRegistry.builder().connectString(connectString).sessionTimeout(Duration.ofMinutes(10));
    }
}
