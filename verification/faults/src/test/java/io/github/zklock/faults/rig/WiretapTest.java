package io.github.zklock.faults.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
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

class WiretapTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> sprung = new CopyOnWriteArrayList<>();
    private final LocalZooKeeper server = new LocalZooKeeper();
    private final Wiretap tap = new Wiretap(
            List.of(server.connectString()),
            (trap, request) -> sprung.add(trap.phase() + " " + request.name() + " " + request.path()));
    private ZooKeeper client;

    @BeforeEach
    void connect() throws Exception {
        client = new ZooKeeper(tap.connectString(), 60_000, event -> {});
        awaitConnected();
    }

    @AfterEach
    void close() throws Exception {
        tap.heal();
        client.close();
        tap.close();
        server.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("wiretap"));
    }

    @Test
    void requestThatIsCutBeforeItIsSentNeverGetsToTheServer() {
        tap.lay(List.of(Trap.at(Phase.BEFORE_SEND, What.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        awaitConnected();
        assertThat(server.treeBelow("/")).isEmpty();
        assertThat(sprung).containsExactly("BEFORE_SEND create /a");
    }

    @Test
    void requestThatIsCutAfterItIsSentIsCarriedOut() {
        tap.lay(List.of(Trap.at(Phase.AFTER_SEND, What.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        Awaitility.await().atMost(PATIENCE).until(() -> server.treeBelow("/").equals(List.of("/a")));
    }

    @Test
    void answerThatIsCutOffWasGiven() {
        tap.lay(List.of(Trap.at(Phase.BEFORE_REPLY, What.CREATE)));

        assertThatThrownBy(() -> create("/a")).isInstanceOf(KeeperException.ConnectionLossException.class);
        assertThat(server.treeBelow("/")).containsExactly("/a");
    }

    @Test
    void stepsAreCountedFromTheFirstOneOnAPath() throws Exception {
        Trap trap = Trap.at(Phase.BEFORE_REPLY, What.ANY, 1).since("/b");
        tap.lay(List.of(trap));

        create("/a");
        create("/b");
        client.sync("/", (rc, path, context) -> {}, null);
        assertThat(trap.awaitSprung(PATIENCE)).isTrue();
        assertThat(sprung).containsExactly("BEFORE_REPLY sync /");
    }

    @Test
    void trapsSpringOneAfterTheOtherAlsoWhereTheConnectionIsMadeAnew() throws Exception {
        tap.lay(List.of(
                Trap.at(Phase.AFTER_SEND, What.DELETE),
                Trap.at(Phase.BEFORE_REPLY, What.CONNECT),
                Trap.at(Phase.BEFORE_SEND, What.LIST)));
        create("/a");

        assertThatThrownBy(() -> client.delete("/a", -1)).isInstanceOf(KeeperException.ConnectionLossException.class);
        Awaitility.await().atMost(PATIENCE).until(() -> sprung.size() == 2);
        awaitConnected();
        assertThatThrownBy(() -> client.getChildren("/", false))
                .isInstanceOf(KeeperException.ConnectionLossException.class);
        assertThat(sprung)
                .containsExactly("AFTER_SEND delete /a", "BEFORE_REPLY createSession ", "BEFORE_SEND getChildren /");
    }

    @Test
    void transactionIsKnownByItsFirstPart() throws Exception {
        Trap trap = Trap.at(Phase.AFTER_SEND, What.CHANGE).doing(() -> {});
        tap.lay(List.of(trap));
        create("/a");

        client.multi(List.of(Op.check("/a", -1)));
        assertThat(trap.isSprung()).isFalse();
        client.multi(List.of(Op.delete("/a", -1)));
        assertThat(trap.awaitSprung(PATIENCE)).isTrue();
        assertThat(sprung).containsExactly("AFTER_SEND multi-delete /a");
    }

    @Test
    void eventOfAWatchCanBeWithheld() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        create("/a");
        client.getData("/a", event -> told.countDown(), null);
        AtomicReference<Long> left = new AtomicReference<>();
        Trap trap = Trap.at(Phase.BEFORE_REPLY, What.EVENT).doing(() -> left.set(told.getCount()));
        tap.lay(List.of(trap));

        client.delete("/a", -1);
        told.await();
        assertThat(left.get()).isEqualTo(1);
        assertThat(sprung).containsExactly("BEFORE_REPLY notification /a");
    }

    @Test
    void messageIsHeldBackUntilTheActionHasEnded() throws Exception {
        AtomicReference<List<String>> tree = new AtomicReference<>();
        Trap trap = Trap.at(Phase.BEFORE_SEND, What.CREATE).doing(() -> tree.set(server.treeBelow("/")));
        tap.lay(List.of(trap));

        create("/a");
        assertThat(tree.get()).isEmpty();
        assertThat(server.treeBelow("/")).containsExactly("/a");
        trap.check();
    }

    @Test
    void actionThatFailsIsToldWhereItsTrapIsLookedAt() throws Exception {
        Trap trap = Trap.at(Phase.BEFORE_SEND, What.CREATE).doing(() -> {
            throw new IllegalStateException("no");
        });
        tap.lay(List.of(trap));

        create("/a");
        assertThatThrownBy(trap::check).isInstanceOf(AssertionError.class).hasMessageContaining("no");
    }

    @Test
    void whatIsHeldBackPilesUp() throws Exception {
        tap.holdBack(Wiretap.Way.TO_SERVER);
        CountDownLatch answered = new CountDownLatch(2);
        client.sync("/", (rc, path, context) -> answered.countDown(), null);
        client.sync("/", (rc, path, context) -> answered.countDown(), null);
        assertThat(answered.getCount()).isEqualTo(2);

        tap.heal();
        answered.await();
    }

    @Test
    void trapThatIsTakenAwayDoesNotSpringAtARequestUnderWay() throws Exception {
        Trap trap = Trap.at(Phase.BEFORE_REPLY, What.CREATE);
        CountDownLatch created = new CountDownLatch(1);
        tap.lay(List.of(trap));
        tap.holdBack(Wiretap.Way.TO_SERVER);
        createLater("/a", created::countDown);
        Awaitility.await().atMost(PATIENCE).until(() -> trap.seen() == 1);

        tap.heal();
        created.await();
        assertThat(trap.isSprung()).isFalse();
        assertThat(sprung).isEmpty();
    }

    @Test
    void answersToOneKindOfRequestPassWithThoseBeforeThem() throws Exception {
        List<String> answers = new CopyOnWriteArrayList<>();
        tap.holdBack(Wiretap.Way.TO_CLIENT);
        client.sync("/", (rc, path, context) -> answers.add("sync"), null);
        createLater("/a", () -> answers.add("/a"));
        client.sync("/", (rc, path, context) -> answers.add("another sync"), null);
        createLater("/b", () -> answers.add("/b"));
        Awaitility.await().atMost(PATIENCE).until(() -> server.treeBelow("/").equals(List.of("/a", "/b")));

        tap.pass(Wiretap.Way.TO_CLIENT, What.CREATE, 1);
        Awaitility.await().atMost(PATIENCE).until(() -> answers.size() == 2);
        assertThat(answers).containsExactly("sync", "/a");

        tap.pass(Wiretap.Way.TO_CLIENT, What.CREATE, 1);
        Awaitility.await().atMost(PATIENCE).until(() -> answers.size() == 4);
    }

    @Test
    void clientIsNotToldOfOtherWaysToTheServers() throws Exception {
        assertThat(new String(client.getConfig(false, null), StandardCharsets.UTF_8))
                .isBlank();
    }

    @Test
    void repliesAreReportedBeforeTheClientReceivesThem() throws Exception {
        List<WireReply> replies = new CopyOnWriteArrayList<>();
        tap.listen(replies::add);

        create("/a");
        assertThat(replies)
                .filteredOn(reply -> reply.request().name().equals("create"))
                .hasSize(1);
        tap.cut();
        awaitConnected();
        client.getData("/", false, null);
        assertThat(replies).filteredOn(WireReply::saysAlive).isNotEmpty().allMatch(reply -> reply.sessionMillis() > 0);
    }

    @Test
    void allDoorsCanLeadToOneServer() throws Exception {
        try (Wiretap two = new Wiretap(List.of("127.0.0.1:1", server.connectString()), (trap, request) -> {})) {
            two.leadTo(1);
            String deadEnd = two.connectString().split(",", -1)[0];
            CountDownLatch connected = new CountDownLatch(1);
            try (ZooKeeper other = new ZooKeeper(deadEnd, 60_000, event -> connected.countDown())) {
                assertThat(connected.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
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
        Awaitility.await().atMost(PATIENCE).until(() -> client.getState().isConnected());
    }
}
