package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.internal.inspect.QueueWalk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody who may write below the base path writes there what no client of ours would. */
class HostileFolderTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String NAME = "/orders";
    private static final String FOLDER = "/locks/orders";
    private static final String SEAT = FOLDER + "/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-";

    /** What servers take at most in one request, unless they are told otherwise. */
    private static final int LARGEST_REQUEST = 0xfffff;

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final CuratorFramework hostile = real.start(ZooKeeperLockRegistry.clientBuilder(), server.connectString());
    private final ZooKeeperLockRegistry registry = real.open(RealServer.builder()
            .connectString(server.connectString())
            .connectionTimeout(LONG)
            .build());
    private final LockInspector inspector = registry.inspector();

    @AfterEach
    void cleanUp() throws Exception {
        if (hostile.checkExists().forPath("/locks") != null) {
            for (String left : hostile.getChildren().forPath("/locks")) {
                hostile.delete().deletingChildrenIfNeeded().forPath("/locks/" + left);
            }
        }
    }

    static Stream<Arguments> ownerData() {
        return Stream.of(
                Arguments.of("nothing", new byte[0]),
                Arguments.of("0.9 MB of one letter", filled(900_000, 'x')),
                Arguments.of("0.9 MB of JSON", utf8("{\"instance\":\"" + "x".repeat(900_000) + "\"}")),
                Arguments.of("JSON that ends too early", utf8("{\"instance\":\"a\",\"host\":")),
                Arguments.of("bytes that are no text", new byte[] {(byte) 0xC3, 0x28, (byte) 0xF0, (byte) 0x9F, 0, -1}),
                Arguments.of("objects in 100,000 objects", utf8("{\"a\":".repeat(100_000))),
                Arguments.of("arrays in 4,000 arrays", utf8("{\"instance\":" + "[".repeat(4_000))),
                Arguments.of(
                        "other types", utf8("{\"instance\":7,\"host\":8,\"pid\":\"x\",\"thread\":9,\"since\":10}")),
                Arguments.of("nothing but nulls", utf8("{\"instance\":null,\"host\":null}")),
                Arguments.of("a number that is none", utf8("{\"instance\":\"a\",\"pid\":9e999}")),
                Arguments.of("the smallest number", utf8("{\"instance\":\"a\",\"pid\":-9223372036854775808}")),
                Arguments.of("a number beyond all", utf8("{\"instance\":\"a\",\"pid\":" + "9".repeat(3_000) + "}")),
                Arguments.of("the last instant", since("+1000000000-12-31T23:59:59.999999999Z")),
                Arguments.of("the first instant", since("-1000000000-01-01T00:00:00Z")),
                Arguments.of("an instant after the last", since("+1000000001-01-01T00:00:00Z")),
                Arguments.of("a script", text("<script>alert(1)</script>\\\"><img src=x onerror=alert(1)>")),
                Arguments.of("long texts", text("y".repeat(900))),
                Arguments.of("line breaks of all kinds", text("a\\nb\\rc\\u000bd\\u000ce\\u0085f\\u2028g\\u2029h")),
                Arguments.of("line breaks as they are", text("a\u0085b\u2028c\u2029d")),
                Arguments.of("half characters", text("\\ud83d and \\ude00")),
                Arguments.of("a character where it is cut", text("z".repeat(199) + "\\ud83d\\ude00")),
                Arguments.of("colours of a terminal", text("\\u001b[31mred\\u009b0m\\u0007")),
                Arguments.of("a name twice", utf8("{\"instance\":\"a\",\"instance\":\"b\"}")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ownerData")
    void whateverAnOwnerSaysIsToldShortAndInOneLine(String what, byte[] data) throws Exception {
        String seat = put(SEAT, data, CreateMode.EPHEMERAL_SEQUENTIAL);

        assertThat(inspector.queue(NAME)).singleElement().satisfies(told -> {
            assertThat(told.holds()).isTrue();
            assertThat(told.owner().stream().flatMap(HostileFolderTest::texts))
                    .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(200))
                    .allSatisfy(HostileFolderTest::assertIsOneLineOfText);
        });
        assertThat(inspector.names("/", "", 10)).containsExactly(LockName.of(NAME));
        assertThat(registry.lock(NAME).tryAcquire()).isEmpty();
        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> registry.semaphore(NAME, 3).acquire(LONG))
                .satisfies(HostileFolderTest::assertIsReadable);

        hostile.delete().forPath(seat);
        registry.lock(NAME).acquire(LONG).close();
    }

    @Test
    void aNodeAsLargeAsTheServersTakeDoesNotCutOffWhoWaitsBehindIt() throws Exception {
        CuratorFramework client = real.start(ZooKeeperLockRegistry.clientBuilder(), server.connectString());
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        client.getConnectionStateListenable().addListener((same, state) -> states.add(state));
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(client).build());
        String seat = put(FOLDER + "/lock-", new byte[0], CreateMode.EPHEMERAL_SEQUENTIAL);
        // an answer has a header and the node's dates besides, which is more than a request has
        hostile.setData().forPath(seat, new byte[LARGEST_REQUEST - seat.length() - 20]);
        Future<LockHandle> wait =
                real.actor("waiter").start(() -> ours.lock(NAME).acquire(LONG));
        real.awaitSeats(2);

        assertThat(ours.inspector().queue(NAME)).hasSize(2);
        hostile.delete().forPath(seat);

        Actor.join(wait).close();
        assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
    }

    @Test
    void thousandsOfSeatsAreToldWithoutReadingThemAll() throws Exception {
        inBulk(5_000, i -> create("%s/lock-%010d".formatted(FOLDER, i), CreateMode.PERSISTENT));

        List<Seat> queue = inspector.queue(NAME);

        assertThat(queue).hasSize(5_000);
        assertThat(queue.stream().filter(seat -> !seat.sessionId().isEmpty())).hasSize(QueueWalk.MOST);
        assertThat(queue.stream().filter(Seat::holds)).hasSize(1);
        assertThat(registry.lock(NAME).tryAcquire()).isEmpty();
        assertThat(inspector.evict(NAME, queue.get(0).id())).isTrue();
        assertThat(inspector.names("/", "", 10)).containsExactly(LockName.of(NAME));
    }

    @Test
    void thousandsOfReadersAreToldAsHolders() throws Exception {
        inBulk(10_000, i -> create("%s/__READ__%010d".formatted(FOLDER, i), CreateMode.PERSISTENT));

        assertThat(inspector.queue(NAME)).hasSize(10_000).allMatch(Seat::holds);
    }

    @Test
    void aListOfForeignChildrenThatIsLongerThanAMegabyteKeepsNobodyOut() throws Exception {
        String padding = "f".repeat(1_000);
        inBulk(3_000, i -> create(FOLDER + "/_zz" + padding + i, CreateMode.PERSISTENT));

        try (LockHandle handle = registry.lock(NAME).acquire(LONG)) {

            assertThat(inspector.queue(NAME)).hasSize(1);
            assertThat(inspector.names("/", "", 10)).containsExactly(handle.name());
            assertThat(real.counting(() -> inspector.names("/", "", 10))).containsEntry("getChildren", 2L);
        }
    }

    @Test
    void foldersDeeperThanAnyNameAreNotLookedInto() throws Exception {
        StringBuilder path = new StringBuilder(FOLDER);
        inBulk(3_000, i -> create(path.append("/a").toString(), CreateMode.PERSISTENT));

        Map<String, Long> requests = real.counting(() -> inspector.names("/", "", 10_000));
        List<LockName> names = inspector.names("/", "", 10_000);

        assertThat(requests.get("getChildren")).isLessThan(300);
        assertThat(names)
                .singleElement()
                .satisfies(deepest ->
                        assertThat(deepest.value()).startsWith(NAME + "/a/a").hasSizeGreaterThan(400));
        for (int i = 3_000; i > 0; i -= 50) {
            hostile.delete().deletingChildrenIfNeeded().forPath(FOLDER + "/a".repeat(i - 49));
        }
    }

    @Test
    void whatASessionDoesNotEndCanBeEvictedUnlessSomethingLiesInIt() throws Exception {
        put(FOLDER + "/lock-0000000000", utf8("forged"), CreateMode.PERSISTENT);
        put(FOLDER + "/lock-0000000000/below", new byte[0], CreateMode.PERSISTENT);
        Seat forged = inspector.queue(NAME).get(0);

        assertThat(forged.sessionId()).isEqualTo("0");
        assertThat(inspector.names("/", "", 10)).containsExactly(LockName.of(NAME));
        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> inspector.evict(NAME, forged.id()))
                .withMessageContaining(FOLDER + "/lock-0000000000")
                .withMessageContaining("delete it with its children");

        hostile.delete().forPath(FOLDER + "/lock-0000000000/below");
        assertThat(inspector.evict(NAME, forged.id())).isTrue();
        registry.lock(NAME).acquire(LONG).close();
    }

    @Test
    void aFolderMayHaveDataOfItsOwn() throws Exception {
        put(FOLDER, filled(900_000, 'x'), CreateMode.PERSISTENT);

        registry.lock(NAME).acquire(LONG).close();

        assertThat(inspector.names("/", "", 10)).containsExactly(LockName.of(NAME));
        assertThat(inspector.queue(NAME)).isEmpty();
    }

    @Test
    void aFolderThatCanHaveNoSeatsRefusesAtOnce() throws Exception {
        put(FOLDER, new byte[0], CreateMode.EPHEMERAL);

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> registry.lock(NAME).acquire(LONG))
                .withMessageContaining("ZooKeeper rejected the creation of a node in " + FOLDER);
        registry.lock("/other").acquire(LONG).close();
    }

    @Test
    void aSeatThatNobodyElseMayReadIsToldByItsName() throws Exception {
        CuratorFramework secretive = secretive();
        registry.lock(NAME).acquire(LONG).close();
        secretive
                .create()
                .withMode(CreateMode.EPHEMERAL)
                .withACL(Ids.CREATOR_ALL_ACL)
                .forPath(SEAT + "0000000009");

        assertThat(inspector.queue(NAME)).singleElement().satisfies(told -> {
            assertThat(told.sequence()).isEqualTo(9);
            assertThat(told.owner()).isEmpty();
            assertThat(told.sessionId()).isEmpty();
        });
        secretive.delete().forPath(SEAT + "0000000009");
    }

    @Test
    void aFolderThatNobodyElseMayReadHidesNoOtherLock() throws Exception {
        CuratorFramework secretive = secretive();
        registry.lock("/a").acquire(LONG).close();
        registry.lock("/z").acquire(LONG).close();
        secretive.create().withACL(Ids.CREATOR_ALL_ACL).forPath("/locks/secret");

        assertThat(inspector.names("/", "", 10)).extracting(LockName::value).containsExactly("/a", "/secret", "/z");
        assertThatExceptionOfType(LockAccessDeniedException.class)
                .isThrownBy(() -> inspector.queue("/secret"))
                .withMessageContaining("/secret")
                .withMessageContaining("access list");
        assertThatExceptionOfType(LockAccessDeniedException.class).isThrownBy(() -> inspector.names("/secret", "", 10));
        assertThatExceptionOfType(LockAccessDeniedException.class)
                .isThrownBy(() -> registry.lock("/secret").acquire(LONG));
        secretive.delete().forPath("/locks/secret");
    }

    private CuratorFramework secretive() {
        return real.start(
                CuratorFrameworkFactory.builder().authorization("digest", utf8("mallory:secret")),
                server.connectString());
    }

    private String put(String path, byte[] data, CreateMode mode) throws Exception {
        return hostile.create().creatingParentsIfNeeded().withMode(mode).forPath(path, data);
    }

    /** Many nodes, in few transactions. */
    private void inBulk(int count, Operation operation) throws Exception {
        registry.lock(NAME).acquire(LONG).close();
        real.awaitSeats(0);
        List<CuratorOp> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(operation.of(i));
            if (operations.size() == 100 || i == count - 1) {
                hostile.transaction().forOperations(operations);
                operations.clear();
            }
        }
    }

    private CuratorOp create(String path, CreateMode mode) throws Exception {
        return hostile.transactionOp().create().withMode(mode).forPath(path, new byte[0]);
    }

    private static Stream<String> texts(Owner owner) {
        return Stream.of(owner.instance(), owner.host(), owner.thread());
    }

    private static void assertIsReadable(Throwable failure) {
        assertThat(failure.getMessage()).contains(NAME).hasSizeLessThan(1_000);
        assertIsOneLineOfText(failure.getMessage());
    }

    private static void assertIsOneLineOfText(String text) {
        assertThat(text).doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]");
    }

    private static byte[] text(String json) {
        return utf8("{\"instance\":\"%s\",\"host\":\"%s\",\"thread\":\"%s\"}".formatted(json, json, json));
    }

    private static byte[] since(String instant) {
        return utf8("{\"instance\":\"a\",\"since\":\"" + instant + "\"}");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] filled(int length, char c) {
        byte[] data = new byte[length];
        Arrays.fill(data, (byte) c);
        return data;
    }

    /** One operation of many. */
    @FunctionalInterface
    private interface Operation {
        CuratorOp of(int number) throws Exception;
    }
}
