package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.CuratorWire;
import io.github.zklock.zookeeper.internal.transport.ObservedZooKeeper;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CuratorWireTest {

    @RegisterExtension
    final RealServer real = new RealServer();

    private final List<Runnable> searches = new ArrayList<>();

    @Test
    void aWireThatWasClosedWhileItLookedForASessionIsForgottenByTheClient() throws Exception {
        CuratorFramework shared =
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString());
        assertThat(shared.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        AtomicInteger toldToOpen = new AtomicInteger();
        AtomicInteger toldToClosed = new AtomicInteger();
        CuratorWire open = searching(shared, toldToOpen);
        searching(shared, toldToClosed).close();
        searches.forEach(Runnable::run);
        ZooKeeper handle = shared.getZookeeperClient().getZooKeeper();
        int toldBefore = toldToOpen.get();

        handle.close();

        assertThat(handle).isInstanceOf(ObservedZooKeeper.class);
        assertThat(toldToOpen.get()).isGreaterThan(toldBefore);
        assertThat(toldToClosed).hasValue(0);
        open.close();
    }

    /** ZooKeeper.getEphemerals does not know of the change root, as all other calls do. */
    @ParameterizedTest
    @CsvSource({
        "'', '', /locks",
        "/app, '', /locks",
        "'', team, /locks",
        "/app, team, /locks",
        "'', '', /",
        "/app, '', /",
        "'', team, /",
        "/app, team, /"
    })
    void theNodesOfASessionAreFoundBelowAChangeRootAndANamespace(String root, String namespace, String basePath)
            throws Exception {
        CuratorFramework operator =
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString());
        if (!root.isEmpty()) {
            operator.create().forPath(root);
        }
        CuratorFramework client = real.start(
                ZooKeeperLockRegistry.clientBuilder().namespace(namespace),
                real.itself().connectString() + root);
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<WireSession> pinned = new CompletableFuture<>();
        CuratorWire wire = new CuratorWire(client, false, basePath, null, new EngineRun(Runnable::run), Runnable::run);
        wire.onHint(() -> {});
        wire.pin(pin -> pinned.complete(((Wire.Pin.Pinned) pin).session()));
        WireSession session = pinned.get(60, TimeUnit.SECONDS);

        CompletableFuture<WireSession.Node> created = new CompletableFuture<>();
        String folder = basePath.equals("/") ? "/stats" : basePath + "/stats";
        session.makeFolder(folder, (outcome, none) -> {});
        session.create(folder + "/seat-", new byte[0], (outcome, node) -> created.complete(node));
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        session.ephemerals(basePath, (outcome, paths) -> found.complete(paths));

        assertThat(found.get(60, TimeUnit.SECONDS))
                .containsExactly(created.get(60, TimeUnit.SECONDS).path());
        wire.close();
    }

    private CuratorWire searching(CuratorFramework client, AtomicInteger hints) {
        CuratorWire wire = new CuratorWire(client, false, "/locks", null, new EngineRun(Runnable::run), searches::add);
        wire.onHint(hints::incrementAndGet);
        wire.pin(pin -> {});
        return wire;
    }
}
