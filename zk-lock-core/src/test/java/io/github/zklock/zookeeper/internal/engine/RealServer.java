package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Closing;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.Traffic;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server for one test, and all that the test opens on it: what was opened is closed after the test, and
 * then nothing must be left.
 */
final class RealServer implements AfterEachCallback {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FOREIGN_SESSION_MILLIS = 8_000;

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    LocalZooKeeper itself() {
        return server;
    }

    <T extends AutoCloseable> T open(T each) {
        opened.push(each);
        return each;
    }

    /** A registry with a session of a few seconds. */
    ZooKeeperLockRegistry registry() {
        return open(builder().connectString(server.connectString()).build());
    }

    static ZooKeeperLockRegistry.Builder builder() {
        return ZooKeeperLockRegistry.builder()
                .sessionTimeout(Duration.ofSeconds(6))
                .retry(Duration.ofMillis(10), Duration.ofMillis(100))
                // lest what a test leaves held outlives it
                .onClose(OnClose.RELEASE_HELD);
    }

    /** A client that is not this library's. */
    CuratorFramework foreigner() {
        return start(CuratorFrameworkFactory.builder(), server.connectString());
    }

    CuratorFramework start(CuratorFrameworkFactory.Builder builder, String connectString) {
        CuratorFramework client = open(builder.connectString(connectString)
                .sessionTimeoutMs(FOREIGN_SESSION_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        return client;
    }

    Actor actor(String name) {
        return open(new Actor(name));
    }

    /** Ends the session of a registry as the server does when it has not heard of it for too long. */
    void expire(ZooKeeperLockRegistry registry) {
        server.expire(Long.parseUnsignedLong(registry.inspector().session().id(), 16));
    }

    /** Waits until so many seats stand in the queues of all locks. */
    void awaitSeats(int count) {
        awaitUntil(() -> Leftovers.seats(server).size() == count);
    }

    /** Waits until the registry has heard the answers to all that it asked so far: they come in order. */
    static void awaitAnswers(ZooKeeperLockRegistry registry) throws InterruptedException {
        registry.inspector().queue("/asked-last");
    }

    /** What a step costs. */
    Map<String, Long> counting(Actor.Step step) throws Exception {
        Map<String, Long> before = server.traffic().total();
        step.run();
        return Traffic.between(before, server.traffic().total());
    }

    static EngineAccess engineOf(ZooKeeperLockRegistry registry) {
        return ((EngineReadWriteLock) registry.readWriteLock("/any")).engine();
    }

    /** Gives back and waits until the cluster has seen it. */
    static void giveBack(LockHandle handle) {
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        List<AutoCloseable> all = List.copyOf(opened);
        opened.clear();
        // a registry before the client that it was given, and both before what they go through
        closeAll(all, each -> each instanceof LockRegistry || each instanceof Actor);
        closeAll(all, CuratorFramework.class::isInstance);
        closeAll(all, TcpProxy.class::isInstance);
        Leftovers.assertNone(server);
        server.close();
    }

    private static void closeAll(List<AutoCloseable> all, Predicate<AutoCloseable> which) {
        Closing.together(all.stream().filter(which).toList());
    }
}
