package io.github.zklock.contract;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Closing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * The base of all contracts: a cluster for the class, a lock name and processes for each test, and the assertion that
 * nothing of them is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class Contract implements OnCluster {

    /** Long enough for a machine that is ten times slower; nobody waits for it to pass. */
    static final Duration LONG = Duration.ofMinutes(1);

    /** Short enough to wait for, and long enough for the servers to have answered that the lock is not free. */
    static final Duration BUSY = Duration.ofSeconds(1);

    /** Short enough to wait for, where the servers do not answer or need not. */
    static final Duration SHORT = Duration.ofMillis(200);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private ClusterFixture cluster;
    private int tests;
    private Member member;

    @BeforeAll
    final void openCluster() {
        cluster = newCluster();
    }

    @BeforeEach
    final void joinCluster() {
        tests++;
        member = join(Options.none());
    }

    @AfterEach
    final void leaveNothing() {
        cluster.heal();
        List<AutoCloseable> all = List.copyOf(opened);
        opened.clear();
        Closing.together(all);
        cluster.assertNothingLeft();
    }

    @AfterAll
    final void closeCluster() {
        cluster.close();
    }

    final ClusterFixture cluster() {
        return cluster;
    }

    /** The process that each test has. */
    final Member member() {
        return member;
    }

    /** The registry of the process that each test has. */
    final LockRegistry registry() {
        return member.registry();
    }

    /** The lock of this test. */
    final String name() {
        return "/" + getClass().getSimpleName() + "/" + tests;
    }

    /** This test's lock, as the process that each test has sees it. */
    final ClusterLock lock() {
        return registry().lock(name());
    }

    /** The same lock, as this process sees it. */
    final ClusterLock lockOf(Member other) {
        return other.registry().lock(name());
    }

    /** This test's name as a pair of locks, as this process sees it. */
    final ClusterReadWriteLock pairOf(Member process) {
        return process.registry().readWriteLock(name());
    }

    final ClusterLock reading() {
        return readingOf(member);
    }

    final ClusterLock writing() {
        return writingOf(member);
    }

    final ClusterLock readingOf(Member process) {
        return pairOf(process).readLock();
    }

    final ClusterLock writingOf(Member process) {
        return pairOf(process).writeLock();
    }

    /** This test's name as a semaphore. */
    final ClusterSemaphore semaphore(int permits) {
        return semaphoreOf(member, permits);
    }

    final ClusterSemaphore semaphoreOf(Member process, int permits) {
        return process.registry().semaphore(name(), permits);
    }

    /** Waits until the lock is proven: a lock that is granted just after an outage may be suspended soon, until the next renewal. */
    static void awaitHeld(LockHandle handle) {
        await().until(handle::isHeld);
    }

    /** One more process, which has arrived: its first request does not have to wait for a connection. */
    final Member join(Options options) {
        Member joined = cluster.join(options);
        opened.push(joined);
        await().until(() -> joined.registry().inspector().session().connected());
        return joined;
    }

    /** Another process. */
    final Member join() {
        return join(Options.none());
    }

    final Actor actor(String name) {
        Actor actor = new Actor(name);
        opened.push(actor);
        return actor;
    }

    /** Closes this after the test. */
    final <C extends AutoCloseable> C closing(C opening) {
        opened.push(opening);
        return opening;
    }

    /** Makes an actor wait for this test's lock, and returns once it does. However that ends is of no interest. */
    @SuppressWarnings("FutureReturnValueIgnored")
    final Actor waiting(String name, Actor.Step wait) {
        int before = registry().inspector().awaited().size();
        Actor actor = actor(name);
        actor.startAct(wait);
        awaitWaiters(before + 1);
        return actor;
    }

    final void awaitWaiters(int count) {
        await().until(() -> registry().inspector().awaited().size() == count);
    }

    /** Returns when so many stand in the queue of this test's lock. */
    final void awaitQueued(int count) {
        await().until(() -> cluster.queued(name()) == count);
    }

    /** Takes the lock away from its holder and returns once the holder's registry has noticed. */
    final void forceOut(LockHandle held) {
        cluster.forceOut(held.name().value());
        await().until(() -> held.state().isFinal());
    }

    static ConditionFactory await() {
        return Awaitility.await()
                .pollInSameThread()
                .atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2));
    }
}
