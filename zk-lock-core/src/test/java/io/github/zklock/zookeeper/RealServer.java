package io.github.zklock.zookeeper;

import io.github.zklock.Handle;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Closing;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.Traffic;
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
 * A {@link LocalZooKeeper} for one test, and all that the test opens on it. After the test, everything is closed, and no
 * seat, watch or thread may be left.
 */
public final class RealServer implements AfterEachCallback {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FOREIGN_SESSION_MILLIS = 8_000;

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    public LocalZooKeeper itself() {
        return server;
    }

    /** Closes this after the test: registries first, proxies last. */
    public <T extends AutoCloseable> T open(T each) {
        opened.push(each);
        return each;
    }

    /** Opens a registry with the settings of {@link #builder()}. */
    public ZooKeeperLockRegistry registry() {
        return open(builder().connectString(server.connectString()).build());
    }

    /** Returns settings with a session of a few seconds, which leave nothing held on close. */
    public static ZooKeeperLockRegistry.Builder builder() {
        return ZooKeeperLockRegistry.builder()
                .sessionTimeout(Duration.ofSeconds(6))
                .retry(Duration.ofMillis(10), Duration.ofMillis(100))
                // lest what a test leaves held outlives it
                .onClose(OnClose.RELEASE_HELD);
    }

    /** Opens a client that is not this library's. */
    public CuratorFramework foreigner() {
        return start(CuratorFrameworkFactory.builder(), server.connectString());
    }

    public CuratorFramework start(CuratorFrameworkFactory.Builder builder, String connectString) {
        CuratorFramework client = open(builder.connectString(connectString)
                .sessionTimeoutMs(FOREIGN_SESSION_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        return client;
    }

    public Actor actor(String name) {
        return open(new Actor(name));
    }

    /** Ends the session of a registry, as if the server had received no heartbeat for the session timeout. */
    public void expire(ZooKeeperLockRegistry registry) {
        server.expire(Long.parseUnsignedLong(registry.inspector().session().id(), 16));
    }

    /** Waits until the queues of all locks together have this many seats. */
    public void awaitSeats(int count) {
        awaitUntil(() -> Leftovers.seats(server).size() == count);
    }

    /** Waits until the registry has the answers to all requests that it has sent, and to those that they led to. */
    public static void awaitAnswers(ZooKeeperLockRegistry registry) throws InterruptedException {
        // answers arrive in order
        registry.inspector().queue("/asked-last");
        registry.inspector().queue("/asked-last");
    }

    /** Returns the requests and events of all sessions during a step. */
    public Map<String, Long> counting(Actor.Step step) throws Exception {
        Map<String, Long> before = server.traffic().total();
        step.run();
        return Traffic.between(before, server.traffic().total());
    }

    /** Releases a lock and waits until the server has deleted its node. */
    public static void giveBack(Handle handle) {
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    public static void awaitUntil(Callable<Boolean> condition) {
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
        closeAll(all, each -> !(each instanceof LockRegistry || each instanceof Actor || each instanceof TcpProxy));
        closeAll(all, TcpProxy.class::isInstance);
        Leftovers.assertNone(server);
        server.close();
    }

    private static void closeAll(List<AutoCloseable> all, Predicate<AutoCloseable> which) {
        Closing.together(all.stream().filter(which).toList());
    }
}
