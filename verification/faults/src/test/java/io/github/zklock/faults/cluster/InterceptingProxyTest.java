package io.github.zklock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.fixture.LocalZooKeeper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InterceptingProxyTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final List<String> triggered = new CopyOnWriteArrayList<>();
    private final LocalZooKeeper server = new LocalZooKeeper();
    private final InterceptingProxy proxy = new InterceptingProxy(
            List.of(server.connectString()),
            (interception, request) ->
                    triggered.add(interception.phase() + " " + request.name() + " " + request.path()));
    private ZooKeeper client;

    @BeforeEach
    void connect() throws Exception {
        client = new ZooKeeper(proxy.connectString(), 60_000, event -> {});
        awaitConnected();
    }

    @AfterEach
    void close() throws Exception {
        proxy.heal();
        client.close();
        proxy.close();
        server.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("proxy"));
    }

    @Test
    void requestThatIsCutBeforeItIsSentNeverGetsToTheServer() {
        proxy.install(List.of(Interception.at(Phase.BEFORE_SEND, Target.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        awaitConnected();
        assertThat(server.treeBelow("/")).isEmpty();
        assertThat(triggered).containsExactly("BEFORE_SEND create /a");
    }

    @Test
    void requestThatIsCutAfterItIsSentIsCarriedOut() {
        proxy.install(List.of(Interception.at(Phase.AFTER_SEND, Target.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        Awaitility.await().atMost(MAX_WAIT).until(() -> server.treeBelow("/").equals(List.of("/a")));
    }

    @Test
    void answerThatIsCutOffWasGiven() {
        proxy.install(List.of(Interception.at(Phase.BEFORE_REPLY, Target.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        assertThat(server.treeBelow("/")).containsExactly("/a");
    }

    @Test
    void stepsAreCountedFromTheFirstOneOnAPath() throws Exception {
        Interception interception =
                Interception.at(Phase.BEFORE_REPLY, Target.ANY, 1).since("/b");
        proxy.install(List.of(interception));

        create("/a");
        create("/b");
        client.sync("/", (rc, path, context) -> {}, null);
        assertThat(interception.awaitTriggered(MAX_WAIT)).isTrue();
        assertThat(triggered).containsExactly("BEFORE_REPLY sync /");
    }

    @Test
    void interceptionsTriggerInOrderOverSeveralConnections() throws Exception {
        proxy.install(List.of(
                Interception.at(Phase.AFTER_SEND, Target.DELETE),
                Interception.at(Phase.BEFORE_REPLY, Target.CONNECT),
                Interception.at(Phase.BEFORE_SEND, Target.LIST)));
        create("/a");

        assertThatThrownBy(() -> client.delete("/a", -1)).isInstanceOf(KeeperException.ConnectionLossException.class);
        Awaitility.await().atMost(MAX_WAIT).until(() -> triggered.size() == 2);
        awaitConnected();
        assertThatThrownBy(() -> client.getChildren("/", false))
                .isInstanceOf(KeeperException.ConnectionLossException.class);
        assertThat(triggered)
                .containsExactly("AFTER_SEND delete /a", "BEFORE_REPLY createSession ", "BEFORE_SEND getChildren /");
    }

    @Test
    void transactionIsKnownByItsFirstPart() throws Exception {
        Interception interception =
                Interception.at(Phase.AFTER_SEND, Target.CHANGE).doing(() -> {});
        proxy.install(List.of(interception));
        create("/a");

        client.multi(List.of(Op.check("/a", -1)));
        assertThat(interception.isTriggered()).isFalse();
        client.multi(List.of(Op.delete("/a", -1)));
        assertThat(interception.awaitTriggered(MAX_WAIT)).isTrue();
        assertThat(triggered).containsExactly("AFTER_SEND multi-delete /a");
    }

    @Test
    void eventOfAWatchCanBeHeldBack() throws Exception {
        CountDownLatch notified = new CountDownLatch(1);
        create("/a");
        client.getData("/a", event -> notified.countDown(), null);
        AtomicReference<Long> left = new AtomicReference<>();
        Interception interception =
                Interception.at(Phase.BEFORE_REPLY, Target.EVENT).doing(() -> left.set(notified.getCount()));
        proxy.install(List.of(interception));

        client.delete("/a", -1);
        notified.await();
        assertThat(left.get()).isEqualTo(1);
        assertThat(triggered).containsExactly("BEFORE_REPLY notification /a");
    }

    @Test
    void messageIsHeldBackUntilTheActionHasEnded() throws Exception {
        AtomicReference<List<String>> tree = new AtomicReference<>();
        Interception interception =
                Interception.at(Phase.BEFORE_SEND, Target.CREATE).doing(() -> tree.set(server.treeBelow("/")));
        proxy.install(List.of(interception));

        create("/a");
        assertThat(tree.get()).isEmpty();
        assertThat(server.treeBelow("/")).containsExactly("/a");
        interception.check();
    }

    @Test
    void checkThrowsTheFailureOfAnAction() throws Exception {
        Interception interception = Interception.at(Phase.BEFORE_SEND, Target.CREATE)
                .doing(() -> {
                    throw new IllegalStateException("no");
                });
        proxy.install(List.of(interception));

        create("/a");
        assertThatThrownBy(interception::check)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no");
    }

    @Test
    void messagesAreHeldBack() throws Exception {
        proxy.holdBack(InterceptingProxy.MessageDirection.TO_SERVER);
        CountDownLatch answered = new CountDownLatch(2);
        client.sync("/", (rc, path, context) -> answered.countDown(), null);
        client.sync("/", (rc, path, context) -> answered.countDown(), null);
        assertThat(answered.getCount()).isEqualTo(2);

        proxy.heal();
        answered.await();
    }

    @Test
    void removedInterceptionDoesNotTriggerAtARequestInFlight() throws Exception {
        Interception interception = Interception.at(Phase.BEFORE_REPLY, Target.CREATE);
        CountDownLatch created = new CountDownLatch(1);
        proxy.install(List.of(interception));
        proxy.holdBack(InterceptingProxy.MessageDirection.TO_SERVER);
        createLater("/a", created::countDown);
        Awaitility.await().atMost(MAX_WAIT).until(() -> interception.seen() == 1);

        proxy.heal();
        created.await();
        assertThat(interception.isTriggered()).isFalse();
        assertThat(triggered).isEmpty();
    }

    @Test
    void answersToOneKindOfRequestPassWithThoseBeforeThem() throws Exception {
        List<String> answers = new CopyOnWriteArrayList<>();
        proxy.holdBack(InterceptingProxy.MessageDirection.TO_CLIENT);
        client.sync("/", (rc, path, context) -> answers.add("sync"), null);
        createLater("/a", () -> answers.add("/a"));
        client.sync("/", (rc, path, context) -> answers.add("another sync"), null);
        createLater("/b", () -> answers.add("/b"));
        Awaitility.await().atMost(MAX_WAIT).until(() -> server.treeBelow("/").equals(List.of("/a", "/b")));

        proxy.pass(InterceptingProxy.MessageDirection.TO_CLIENT, Target.CREATE, 1);
        Awaitility.await().atMost(MAX_WAIT).until(() -> answers.size() == 2);
        assertThat(answers).containsExactly("sync", "/a");

        proxy.pass(InterceptingProxy.MessageDirection.TO_CLIENT, Target.CREATE, 1);
        Awaitility.await().atMost(MAX_WAIT).until(() -> answers.size() == 4);
    }

    @Test
    void addressesOfTheServersAreHidden() throws Exception {
        assertThat(new String(client.getConfig(false, null), StandardCharsets.UTF_8))
                .isBlank();
    }

    @Test
    void repliesAreReportedBeforeTheClientReceivesThem() throws Exception {
        List<WireReply> replies = new CopyOnWriteArrayList<>();
        proxy.listen(replies::add);

        create("/a");
        assertThat(replies)
                .filteredOn(reply -> reply.request().name().equals("create"))
                .hasSize(1);
        proxy.cut();
        // the client reports itself as connected until it notices the cut
        Awaitility.await()
                .atMost(MAX_WAIT)
                .ignoreExceptionsInstanceOf(KeeperException.ConnectionLossException.class)
                .until(() -> client.getData("/", false, null) != null);
        assertThat(replies).filteredOn(WireReply::saysAlive).isNotEmpty().allMatch(reply -> reply.sessionMillis() > 0);
    }

    @Test
    void allPortsCanLeadToOneServer() throws Exception {
        try (InterceptingProxy two =
                new InterceptingProxy(List.of("127.0.0.1:1", server.connectString()), (interception, request) -> {})) {
            two.routeTo(1);
            String deadEnd = two.connectString().split(",", -1)[0];
            CountDownLatch connected = new CountDownLatch(1);
            try (ZooKeeper other = new ZooKeeper(deadEnd, 60_000, event -> connected.countDown())) {
                assertThat(connected.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
                assertThat(other.getChildren("/", false)).isNotEmpty();
            }
        }
    }

    private void create(String path) throws Exception {
        client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private void createLater(String path, Runnable answered) {
        client.create(
                path,
                new byte[0],
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT,
                (code, asked, context, created) -> answered.run(),
                null);
    }

    private void awaitConnected() {
        Awaitility.await().atMost(MAX_WAIT).until(() -> client.getState().isConnected());
    }
}
