package io.github.zklock.zookeeper.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.Traffic;
import io.github.zklock.zookeeper.RealServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.transport.WireSession.Listing;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CuratorWireTest {

    private static final String QUEUE = "/locks/stats";
    private static final String MARKER = "/locks/_session";
    private static final byte[] DATA = {};

    @RegisterExtension
    final RealServer real = new RealServer();

    private final List<Runnable> searches = new CopyOnWriteArrayList<>();
    private final Loop loop = IdealWire.loop();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final TreeWatch treeWatch = (event, path) -> told.add(event + " " + path);

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
        CuratorWire wire = wire(client, basePath);
        wire.onHint(() -> {});
        wire.pin(pin -> pinned.complete(((Wire.Pin.Pinned) pin).session()));
        WireSession session = pinned.get(60, TimeUnit.SECONDS);

        CompletableFuture<WireSession.Node> created = new CompletableFuture<>();
        String folder = basePath.equals("/") ? "/stats" : basePath + "/stats";
        session.makeFolder(folder, (outcome, none) -> {});
        session.change(RecordedSession.createSeat(folder + "/seat-"), (outcome, node) -> created.complete(node));
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        session.ephemerals(basePath, (outcome, paths) -> found.complete(paths));

        assertThat(found.get(60, TimeUnit.SECONDS))
                .containsExactly(created.get(60, TimeUnit.SECONDS).path());
        wire.close();
    }

    @Test
    void sessionIsFoundAlthoughCuratorDoesNotKnowThatItsHandleIsConnected() throws Exception {
        real.foreigner().create().forPath("/locks");
        AtomicReference<Watcher> ofCurator = new AtomicReference<>();
        CuratorFramework client = real.open(CuratorFrameworkFactory.builder()
                .connectString(real.itself().connectString())
                // longer than anybody waits for the answer
                .connectionTimeoutMs((int) TimeUnit.MINUTES.toMillis(10))
                .sessionTimeoutMs((int) TimeUnit.MINUTES.toMillis(5))
                .retryPolicy(new RetryOneTime(1))
                .zookeeperFactory((connectString, timeout, watcher, readOnly) -> {
                    ofCurator.set(watcher);
                    return ObservedZooKeeper.factory().newZooKeeper(connectString, timeout, watcher, readOnly);
                })
                .build());
        client.start();
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();

        ofCurator
                .get()
                .process(new WatchedEvent(
                        Watcher.Event.EventType.None,
                        Watcher.Event.KeeperState.Disconnected,
                        null,
                        WatchedEvent.NO_ZXID));

        assertThat(client.getZookeeperClient().isConnected()).isFalse();
        assertThat(pinnedNow(client).id())
                .isEqualTo(client.getZookeeperClient().getZooKeeper().getSessionId());
    }

    // clients that the registry was given

    @Test
    void sessionOfANewClientOfThisLibraryIsShared() throws Exception {
        CuratorFramework client = givenClient(ZooKeeperLockRegistry.clientBuilder(), 60_000);

        WireSession session = pinned(wire(client, "/locks"));

        assertThat(session.id()).isEqualTo(idOf(client));
    }

    @Test
    void l36SessionThatWasNotObservedFromItsStartIsNotUsed() throws Exception {
        CuratorFramework client = givenClient(CuratorFrameworkFactory.builder(), 60_000);
        CuratorWire wire = wire(client, "/locks");

        WireSession session = pinned(wire);

        assertThat(session.id()).isNotEqualTo(idOf(client));
        assertThat(session.connection().attempt().fresh()).isTrue();
        assertThat(session.connection().timeoutNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(60));
        wire.close();
        assertThat(real.itself().sessions()).doesNotContain(session.id()).contains(idOf(client));
    }

    @Test
    void l36SessionThatIsTooOldToBeProvenAtOnceIsNotUsed() throws Exception {
        CuratorFramework client = givenClient(ZooKeeperLockRegistry.clientBuilder(), 2_000);
        ObservedZooKeeper handle =
                (ObservedZooKeeper) client.getZookeeperClient().getZooKeeper();
        RealServer.awaitUntil(() -> !handle.isNewAt(ObservedZooKeeper.now()));
        CuratorWire wire = wire(client, "/locks");

        WireSession session = pinned(wire);

        assertThat(session.id()).isNotEqualTo(idOf(client));
        assertThat(session.connection().attempt().fresh()).isTrue();
        wire.close();
    }

    @Test
    void sessionHasTheCredentialsOfTheClient() throws Exception {
        CuratorFramework client = givenClient(
                CuratorFrameworkFactory.builder().authorization("digest", "us:secret".getBytes(StandardCharsets.UTF_8)),
                60_000);
        client.create().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath("/closed");
        CuratorWire wire = wire(client, "/closed");

        WireSession session = pinned(wire);

        assertThat(session.id()).isNotEqualTo(idOf(client));
        wire.close();
    }

    @ParameterizedTest
    @CsvSource({"20, 10 min instead of the requested 20 min", "5, ''"})
    void timeoutThatTheServersDoNotGrantIsReportedOnce(int requestedMinutes, String warning) throws Exception {
        try (CapturedLog log = new CapturedLog(CuratorWire.class)) {
            CuratorWire wire =
                    wire(givenClient(ZooKeeperLockRegistry.clientBuilder(), requestedMinutes * 60_000), "/locks");

            pinned(wire);
            pinned(wire);

            if (warning.isEmpty()) {
                assertThat(log.lines()).isEmpty();
            } else {
                log.await("WARN The ZooKeeper servers granted a session timeout of " + warning);
                assertThat(log.lines()).hasSize(1);
            }
        }
    }

    @Test
    void nextWireOfARegistryUsesTheSameSession() throws Exception {
        LockClient client = new LockClient(givenClient(CuratorFrameworkFactory.builder(), 60_000), false);
        CuratorWire first = new CuratorWire(client, "/locks", null, new EngineRun(Runnable::run), Runnable::run);
        long id = pinned(first).id();
        first.leave();

        CuratorWire next = new CuratorWire(client, "/locks", null, new EngineRun(Runnable::run), Runnable::run);

        assertThat(pinned(next).id()).isEqualTo(id);
        next.close();
    }

    @Test
    void sessionThatHasEndedIsFollowedByAnotherOne() throws Exception {
        CuratorWire wire = wire(givenClient(CuratorFrameworkFactory.builder(), 60_000), "/locks");
        WireSession session = pinned(wire);

        real.itself().expire(session.id());

        RealServer.awaitUntil(() -> session.liveness() == WireSession.Liveness.ENDED);
        assertThat(pinned(wire).id()).isNotEqualTo(session.id());
        wire.close();
    }

    /** Holders are notified between the two. */
    @Test
    void m24SessionIsClosedOnlyAfterTheCloseOfTheClientWasNoticed() throws Exception {
        CuratorFramework client = givenClient(CuratorFrameworkFactory.builder(), 60_000);
        CuratorWire wire = wire(client, "/locks");
        AtomicInteger hints = new AtomicInteger();
        wire.onHint(hints::incrementAndGet);
        WireSession session = pinned(wire);
        int before = hints.get();

        client.close();

        assertThat(hints.get()).isGreaterThan(before);
        assertThat(session.liveness()).isEqualTo(WireSession.Liveness.ENDED);
        assertThat(real.itself().sessions()).contains(session.id());
        AtomicReference<Wire.Pin> pin = new AtomicReference<>();
        wire.pin(pin::set);
        assertThat(pin.get()).isInstanceOf(Wire.Pin.Closed.class);
        assertThat(real.itself().sessions()).doesNotContain(session.id());
        wire.close();
    }

    @Test
    void sessionFollowsTheServersOfTheClient() throws Exception {
        WireSession session = pinnedBeforeTheServersChange();

        list(session);

        assertThat(told).containsExactly("list OK");
        assertThat(session.currentId()).isEqualTo(session.id());
    }

    /** Returns a session whose client has other servers since then; those before cannot be reached any more. */
    private WireSession pinnedBeforeTheServersChange() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        FixedEnsembleProvider servers = new FixedEnsembleProvider(proxy.connectString());
        CuratorFramework client = givenClient(CuratorFrameworkFactory.builder().ensembleProvider(servers), 60_000);
        real.foreigner().create().creatingParentsIfNeeded().forPath(QUEUE);
        CuratorWire wire = wire(client, "/locks");
        real.open(wire::close);
        wire.onHint(() -> {});
        WireSession session = pinned(wire);
        servers.setConnectionString(real.itself().connectString());
        proxy.refuse();
        return session;
    }

    @Test
    void sessionHasTheServersAndTheChangeRootOfTheClient() throws Exception {
        real.foreigner().create().forPath("/app");
        String server = real.itself().connectString();
        String servers = server + "," + server.replace("127.0.0.1", "localhost") + "/app";
        CuratorFramework given = givenClient(
                CuratorFrameworkFactory.builder().ensembleProvider(new FixedEnsembleProvider(servers)), 60_000);

        LockClient client = new LockClient(given, false);
        real.open(client::close);
        ZooKeeper opened = client.handle();

        assertThat(opened)
                .isInstanceOfSatisfying(
                        ObservedZooKeeper.class,
                        handle -> assertThat(handle.connectString()).isEqualTo(servers));
    }

    @Test
    void closedClientOpensNoFurtherSession() throws Exception {
        CuratorFramework given = givenClient(CuratorFrameworkFactory.builder(), 60_000);
        LockClient client = new LockClient(given, false);
        ZooKeeper opened = client.handle();
        client.close();

        ZooKeeper afterwards = client.handle();

        assertThat(afterwards)
                .isNotSameAs(opened)
                .isSameAs(given.getZookeeperClient().getZooKeeper());
    }

    // watches of folders

    @ParameterizedTest
    @CsvSource({"'', ''", "/app, ''", "'', team", "/app, team"})
    void watchOfAFolderTellsOfAllThatComesAndGoesBelowItInOrder(String root, String namespace) throws Exception {
        CuratorFramework operator = real.foreigner();
        String locks = root + (namespace.isEmpty() ? "" : "/" + namespace) + "/locks";
        operator.create().creatingParentsIfNeeded().forPath(locks);
        WireSession session = pinned(real.start(
                ZooKeeperLockRegistry.clientBuilder().namespace(namespace),
                real.itself().connectString() + root));
        watchTree(session);

        operator.create().forPath(locks + "/stats");
        operator.create().forPath(locks + "/stats/a");
        operator.create().forPath(locks + "/stats/b");
        operator.setData().forPath(locks + "/stats/a", new byte[] {1});
        operator.create().forPath(locks + "/statsOfOthers");
        operator.delete().forPath(locks + "/stats/a");
        operator.create().forPath(locks + "/stats/b/nested");
        operator.delete().deletingChildrenIfNeeded().forPath(locks + "/stats");
        operator.create().forPath(locks + "/stats");
        operator.create().forPath(locks + "/stats/c");
        list(session);

        assertThat(told)
                .containsExactly(
                        "watchTree OK",
                        "CREATED /locks/stats",
                        "CREATED /locks/stats/a",
                        "CREATED /locks/stats/b",
                        "DELETED /locks/stats/a",
                        "CREATED /locks/stats/b/nested",
                        "DELETED /locks/stats/b/nested",
                        "DELETED /locks/stats/b",
                        "DELETED /locks/stats",
                        "CREATED /locks/stats",
                        "CREATED /locks/stats/c",
                        "list OK");
    }

    @Test
    void watchOfAFolderThatWasRemovedTellsNothingAndIsNotLeftAtTheServers() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath(QUEUE);
        watchTree(session);
        assertThat(real.itself().watches()).isEqualTo(1);

        loop.execute(() -> session.unwatchTree(QUEUE, treeWatch));
        list(session);
        long toldBefore = real.itself().traffic().total("event NodeCreated");
        operator.create().forPath(QUEUE + "/a");
        list(session);

        assertThat(told).containsExactly("watchTree OK", "list OK", "list OK");
        assertThat(real.itself().watches()).isZero();
        assertThat(real.itself().traffic().total("event NodeCreated")).isEqualTo(toldBefore);
    }

    @Test
    void watchOfAFolderTellsThatEventsWereMissedBeforeAnyAnswerOfTheNextConnection() throws Exception {
        CuratorFramework operator = real.foreigner();
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        WireSession session = pinned(ownClient(proxy.connectString()));
        operator.create().forPath(QUEUE);
        watchTree(session);
        operator.create().forPath(QUEUE + "/before");
        list(session);
        assertThat(told).containsExactly("watchTree OK", "CREATED /locks/stats/before", "list OK");
        told.clear();

        proxy.refuse();
        RealServer.awaitUntil(() -> told.contains("MISSED "));
        operator.create().forPath(QUEUE + "/meanwhile");
        proxy.heal();
        list(session);

        assertThat(told).startsWith("MISSED ").endsWith("list OK").containsOnly("MISSED ", "list OK");
        assertThat(told).containsOnlyOnce("list OK");
    }

    @Test
    void removalOfAWatchHidesNoLostConnectionFromTheApplicationAndIsMadeUpForOnTheNextOne() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        CuratorFramework client = ownClient(proxy.connectString());
        WireSession session = pinned(client);
        client.create().forPath(QUEUE);
        client.create().forPath("/locks/front");
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        client.getConnectionStateListenable().addListener((same, state) -> states.add(state));
        Watch node = event -> told.add("node " + event);
        loop.execute(() -> session.readWatching("/locks/front", node, (outcome, none) -> {}));
        watchTree(session);
        list(session);
        assertThat(real.itself().watches()).isEqualTo(2);
        proxy.pause(TcpProxy.Direction.REQUEST);
        loop.execute(() -> session.unwatchTree(QUEUE, treeWatch));
        loop.execute(() -> session.unwatch("/locks/front", node));

        proxy.refuse();

        RealServer.awaitUntil(() -> states.contains(ConnectionState.SUSPENDED));
        proxy.heal();
        RealServer.awaitUntil(() -> states.contains(ConnectionState.RECONNECTED));
        // the first answer comes after the watchers were told of the connection, the second after the removals
        list(session);
        list(session);
        assertThat(real.itself().watches()).isZero();
        told.clear();
        proxy.cut();
        list(session);
        assertThat(real.itself().watches()).isZero();
        assertThat(told).containsExactly("list OK");
    }

    /** ClientCnxn tells nobody else of the lost connection then. */
    @Test
    void watchOfAFolderTellsThatEventsWereMissedEvenIfAnotherWatchOfTheClientAloneWasToldOfTheLoss() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        CuratorFramework client = ownClient(proxy.connectString());
        WireSession session = pinned(client);
        client.create().forPath(QUEUE);
        watchTree(session);
        ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
        List<Watcher.Event.EventType> others = new CopyOnWriteArrayList<>();
        Watcher other = event -> others.add(event.getType());
        handle.addWatch("/locks", other, AddWatchMode.PERSISTENT);
        proxy.pause(TcpProxy.Direction.REQUEST);
        handle.removeWatches("/locks", other, Watcher.WatcherType.Any, true, (rc, path, context) -> {}, null);

        proxy.refuse();
        proxy.heal();

        RealServer.awaitUntil(() -> told.contains("MISSED "));
        assertThat(others).doesNotContain(Watcher.Event.EventType.None);
    }

    @Test
    void watchOfAFolderTellsEachEventOnceAfterItWasAskedForAgain() throws Exception {
        CuratorFramework operator = real.foreigner();
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        WireSession session = pinned(ownClient(proxy.connectString()));
        operator.create().forPath(QUEUE);
        watchTree(session);
        proxy.cut();
        list(session);
        told.clear();

        watchTree(session);
        operator.create().forPath(QUEUE + "/after");
        list(session);
        loop.execute(() -> session.unwatchTree(QUEUE, treeWatch));
        operator.create().forPath(QUEUE + "/later");
        list(session);

        assertThat(told).containsExactly("watchTree OK", "CREATED /locks/stats/after", "list OK", "list OK");
    }

    // transactions

    @Test
    void transactionIsCarriedOutAsAWholeAndNumbersItsSeats() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath("/locks/gone");

        List<Change> first = List.of(
                new Change.CreateEphemeral(MARKER, DATA),
                new Change.CreateFolder(QUEUE),
                new Change.CreateFolder("/locks/other"),
                RecordedSession.createSeat(QUEUE + "/lock-"),
                new Change.Delete("/locks/gone"),
                RecordedSession.createSeat("/locks/other/lock-"),
                new Change.Write(MARKER, DATA));
        Answer<Transacted> done = ask(reply -> session.transact(first, reply));
        Answer<Transacted> next = ask(reply -> session.transact(
                List.of(RecordedSession.createSeat(QUEUE + "/lock-"), new Change.Write(MARKER, DATA)), reply));

        assertThat(done.outcome()).isEqualTo(Outcome.OK);
        assertThat(done.present().failedAt()).isEqualTo(-1);
        assertThat(done.present().seats())
                .extracting(Node::path)
                .containsExactly(QUEUE + "/lock-0000000000", "/locks/other/lock-0000000000");
        assertThat(real.itself().stat("/locks/gone")).isEmpty();
        assertThat(next.present().seats()).extracting(Node::path).containsExactly(QUEUE + "/lock-0000000001");
        assertAreAsAtTheServer(session, done.present().seats());
        assertAreAsAtTheServer(session, next.present().seats());
        assertThat(next.present().seats().get(0).czxid())
                .isGreaterThan(done.present().seats().get(0).czxid());
    }

    @Test
    void seatThatIsCreatedAloneIsNumbered() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath(QUEUE);

        Answer<Node> created = ask(reply -> session.change(RecordedSession.createSeat(QUEUE + "/lock-"), reply));

        assertThat(created.present().path()).isEqualTo(QUEUE + "/lock-0000000000");
        assertAreAsAtTheServer(session, List.of(created.present()));
    }

    private void assertAreAsAtTheServer(WireSession session, List<Node> seats) {
        for (Node seat : seats) {
            Stat stat = real.itself().stat(seat.path()).orElseThrow();
            assertThat(seat.czxid()).isEqualTo(stat.getCzxid());
            assertThat(seat.createdMillis()).isEqualTo(stat.getCtime());
            assertThat(seat.owner()).isEqualTo(stat.getEphemeralOwner()).isEqualTo(session.id());
        }
    }

    @Test
    void transactionThatFailsTellsBecauseOfWhichChangeAndChangesNothing() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath(QUEUE);
        operator.create().forPath("/locks/stays");

        Answer<Transacted> missing = ask(reply -> session.transact(
                List.of(
                        new Change.CreateEphemeral(MARKER, DATA),
                        RecordedSession.createSeat(QUEUE + "/lock-"),
                        new Change.Delete("/locks/stays"),
                        new Change.Delete(QUEUE + "/missing"),
                        new Change.Write(MARKER, DATA)),
                reply));
        Answer<Transacted> existing = ask(reply -> session.transact(
                List.of(new Change.CreateFolder(QUEUE), new Change.Delete(QUEUE + "/missing")), reply));
        Answer<Node> alone = ask(reply -> session.change(new Change.Delete(QUEUE + "/missing"), reply));

        assertThat(missing.outcome()).isEqualTo(Outcome.NO_NODE);
        assertThat(missing.present().failedAt()).isEqualTo(3);
        assertThat(missing.present().seats()).isEmpty();
        assertThat(existing.outcome()).isEqualTo(Outcome.NODE_EXISTS);
        assertThat(existing.present().failedAt()).isZero();
        assertThat(alone.outcome()).isEqualTo(Outcome.NO_NODE);
        assertThat(real.itself().treeBelow("/locks")).containsExactlyInAnyOrder(QUEUE, "/locks/stays");
    }

    @Test
    void severalFoldersAreListedInOneAnswer() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath(QUEUE);
        operator.create().forPath(QUEUE + "/a");
        operator.create().forPath("/locks/empty");
        Map<String, Long> before = real.itself().traffic().of(session.id());

        Answer<List<Listing>> answer =
                ask(reply -> session.listAll(List.of("/locks/missing", QUEUE, "/locks/empty"), reply));

        assertThat(answer.outcome()).isEqualTo(Outcome.OK);
        assertThat(answer.present())
                .containsExactly(
                        new Listing(Outcome.NO_NODE, null),
                        new Listing(Outcome.OK, List.of("a")),
                        new Listing(Outcome.OK, List.of()));
        assertThat(Traffic.between(before, real.itself().traffic().of(session.id())))
                .hasSize(1)
                .containsValue(1L);
    }

    @Test
    void severalNodesAreAskedForInOneAnswer() throws Exception {
        CuratorFramework operator = real.foreigner();
        WireSession session = pinned(ownClient(real.itself().connectString()));
        operator.create().forPath(QUEUE);
        operator.create()
                .withACL(List.of(new ACL(ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                .forPath("/locks/hidden");
        Map<String, Long> before = real.itself().traffic().of(session.id());

        Answer<List<Boolean>> answer =
                ask(reply -> session.exist(List.of("/locks/missing", "/locks/hidden", QUEUE), reply));

        assertThat(answer.outcome()).isEqualTo(Outcome.OK);
        assertThat(answer.present()).containsExactly(false, true, true);
        assertThat(Traffic.between(before, real.itself().traffic().of(session.id())))
                .hasSize(1)
                .containsValue(1L);
    }

    @Test
    void recordIsReplacedOrDeletedOnlyInTheVersionThatIsNamed() throws Exception {
        real.foreigner().create().creatingParentsIfNeeded().forPath("/locks/.runs");
        WireSession session = pinned(
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString()));
        String path = "/locks/.runs/job";
        byte[] other = {1};

        Node created = change(session, new Change.Create(path, DATA)).present();
        assertThat(created.version()).isZero();
        assertThat(created.writtenMillis()).isEqualTo(created.createdMillis());
        Node written = change(session, new Change.Write(path, other, 0)).present();
        assertThat(written.version()).isOne();
        assertThat(written.czxid()).isEqualTo(created.czxid());

        assertThat(change(session, new Change.Write(path, DATA, 0)).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(change(session, new Change.Delete(path, 0)).outcome()).isEqualTo(Outcome.REFUSED);
        Node present = this.<Node>ask(reply -> session.read(path, reply)).present();
        assertThat(present.data()).containsExactly(other);
        assertThat(present.writtenMillis()).isEqualTo(written.writtenMillis());
    }

    private Answer<Node> change(WireSession session, Change change) throws Exception {
        return ask(reply -> session.change(change, reply));
    }

    @Test
    void nodeOfAnAbandonedSessionIsDeletedByTheExpiryOfThatSession() throws Exception {
        // M34
        CuratorFramework foreigner = real.foreigner();
        foreigner.create().forPath("/locks");
        WireSession session = pinned(
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString()));
        String path = MARKER + "-abc-probe-1";

        Answer<Long> created = ask(reply -> session.createExpiring(path, TimeUnit.SECONDS.toNanos(2), reply));

        assertThat(created.outcome()).isEqualTo(Outcome.OK);
        assertThat(created.present()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        Stat stat = foreigner.checkExists().forPath(path);
        assertThat(stat).as("not closed, but abandoned").isNotNull();
        assertThat(stat.getEphemeralOwner()).isNotEqualTo(session.id()).isNotZero();
        RealServer.awaitUntil(() -> foreigner.checkExists().forPath(path) == null);
        assertThat(this.<Transacted>ask(reply -> session.transact(List.of(new Change.Check(path)), reply))
                        .outcome())
                .isEqualTo(Outcome.NO_NODE);
    }

    @Test
    void abandonedSessionIsAuthenticatedLikeTheClient() throws Exception {
        CuratorFramework client = real.start(
                ZooKeeperLockRegistry.clientBuilder().authorization("digest", "shop:secret".getBytes(UTF_8)),
                real.itself().connectString());
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        client.create().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath("/locks");
        WireSession session = pinnedNow(client);
        String path = MARKER + "-abc-probe-1";

        assertThat(this.<Long>ask(reply -> session.createExpiring(path, TimeUnit.SECONDS.toNanos(2), reply))
                        .outcome())
                .isEqualTo(Outcome.OK);
        assertThat(this.<Transacted>ask(reply -> session.transact(List.of(new Change.Check(path)), reply))
                        .outcome())
                .isEqualTo(Outcome.OK);
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "/app, ''", "'', team", "/app, team"})
    void abandonedSessionIsLikeThatBesideTheClientOfAnApplication(String root, String namespace) throws Exception {
        if (!root.isEmpty()) {
            real.foreigner().create().forPath(root);
        }
        CuratorFramework client = givenClient(
                CuratorFrameworkFactory.builder()
                        .connectString(real.itself().connectString() + root)
                        .namespace(namespace)
                        .authorization("digest", "us:secret".getBytes(UTF_8)),
                60_000);
        client.create()
                .creatingParentsIfNeeded()
                .withACL(ZooDefs.Ids.CREATOR_ALL_ACL)
                .forPath("/locks");
        CuratorWire wire = wire(client, "/locks");
        WireSession session = pinned(wire);
        assertThat(session.id()).isNotEqualTo(idOf(client));
        String path = MARKER + "-abc-probe-1";

        assertThat(this.<Long>ask(reply -> session.createExpiring(path, TimeUnit.SECONDS.toNanos(2), reply))
                        .outcome())
                .isEqualTo(Outcome.OK);
        Answer<Node> found = ask(reply -> session.read(path, reply));
        assertThat(found.outcome()).isEqualTo(Outcome.OK);
        assertThat(found.present().owner()).isNotIn(0L, session.id(), idOf(client));
        wire.close();
    }

    @Test
    void abandonedSessionFollowsTheServersOfTheClient() throws Exception {
        WireSession session = pinnedBeforeTheServersChange();
        list(session);

        Answer<Long> created =
                ask(reply -> session.createExpiring(MARKER + "-probe", TimeUnit.SECONDS.toNanos(2), reply));

        assertThat(created.outcome()).isEqualTo(Outcome.OK);
    }

    @Test
    void sessionWithoutAServerCannotBeAbandoned() throws Exception {
        real.foreigner().create().forPath("/locks");
        WireSession session = pinned(
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString()));
        real.itself().stop();

        Answer<Long> created =
                ask(reply -> session.createExpiring(MARKER + "-probe", TimeUnit.SECONDS.toNanos(2), reply));

        assertThat(created.outcome()).isEqualTo(Outcome.CONNECTION_LOST);
        real.itself().start();
    }

    private record Answer<T>(Outcome outcome, @Nullable T value) {

        T present() {
            return Objects.requireNonNull(value);
        }
    }

    private <T> Answer<T> ask(Consumer<Reply<T>> request) throws Exception {
        CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        loop.execute(() -> request.accept((outcome, value) -> answer.complete(new Answer<>(outcome, value))));
        return answer.get(60, TimeUnit.SECONDS);
    }

    private void watchTree(WireSession session) throws Exception {
        told.add("watchTree "
                + this.<Void>ask(reply -> session.watchTree(QUEUE, treeWatch, reply))
                        .outcome());
    }

    /** Lists the queue, on the next connection if there is none: all earlier events have been told by then. */
    private void list(WireSession session) throws Exception {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        loop.execute(() -> listUntilAnswered(session, answer));
        answer.get(60, TimeUnit.SECONDS);
    }

    private void listUntilAnswered(WireSession session, CompletableFuture<Outcome> answer) {
        session.list(QUEUE, (outcome, children) -> {
            if (outcome == Outcome.CONNECTION_LOST) {
                listUntilAnswered(session, answer);
            } else {
                told.add("list " + outcome);
                answer.complete(outcome);
            }
        });
    }

    /** A client whose session outlives each pause of the test. */
    private CuratorFramework ownClient(String connectString) {
        CuratorFramework client = real.open(ZooKeeperLockRegistry.clientBuilder()
                .connectString(connectString)
                .sessionTimeoutMs(60_000)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        return client;
    }

    private WireSession pinned(CuratorFramework client) throws Exception {
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        return pinnedNow(client);
    }

    private WireSession pinnedNow(CuratorFramework client) throws Exception {
        CompletableFuture<WireSession> pinned = new CompletableFuture<>();
        // the client is the library's own: no other user has watches there
        CuratorWire wire =
                new CuratorWire(new LockClient(client, true), "/locks", null, new EngineRun(loop), Runnable::run);
        wire.onHint(() -> {});
        Thread finder = new Thread(() -> wire.pin(pin -> pinned.complete(((Wire.Pin.Pinned) pin).session())));
        finder.start();
        try {
            return pinned.get(60, TimeUnit.SECONDS);
        } finally {
            finder.interrupt();
        }
    }

    private CuratorFramework givenClient(CuratorFrameworkFactory.Builder builder, int sessionMillis) throws Exception {
        if (builder.getEnsembleProvider() == null) {
            builder.connectString(real.itself().connectString());
        }
        CuratorFramework client = real.open(builder.sessionTimeoutMs(sessionMillis)
                .connectionTimeoutMs(sessionMillis)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        return client;
    }

    private static long idOf(CuratorFramework client) throws Exception {
        return client.getZookeeperClient().getZooKeeper().getSessionId();
    }

    private static CuratorWire wire(CuratorFramework client, String basePath) {
        return new CuratorWire(
                new LockClient(client, false), basePath, null, new EngineRun(Runnable::run), Runnable::run);
    }

    private static WireSession pinned(CuratorWire wire) {
        AtomicReference<Wire.Pin> pin = new AtomicReference<>();
        RealServer.awaitUntil(() -> {
            wire.pin(pin::set);
            return !(pin.get() instanceof Wire.Pin.NotYet);
        });
        assertThat(pin.get()).isInstanceOf(Wire.Pin.Pinned.class);
        return ((Wire.Pin.Pinned) pin.get()).session();
    }

    private CuratorWire searching(CuratorFramework client, AtomicInteger hints) {
        CuratorWire wire = new CuratorWire(
                new LockClient(client, false), "/locks", null, new EngineRun(Runnable::run), searches::add);
        wire.onHint(hints::incrementAndGet);
        wire.pin(pin -> {});
        return wire;
    }
}
