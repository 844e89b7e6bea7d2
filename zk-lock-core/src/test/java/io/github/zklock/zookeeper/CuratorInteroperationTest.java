package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockMismatchException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Operator;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.Revoker;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One lock shared with services that still use Curator's recipes on the same path. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class CuratorInteroperationTest {

    private static final String NAME = "/shared";
    private static final String PATH = "/locks/shared";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private LocalZooKeeper server;
    private ZooKeeperLockRegistry registry;
    private CuratorFramework curator;

    @BeforeEach
    void connect() {
        server = new LocalZooKeeper();
        registry = open(builder().connectString(server.connectString()).build());
        curator = start(CuratorFrameworkFactory.builder());
    }

    @AfterEach
    void leaveNothing() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Leftovers.assertNone(server);
        server.close();
    }

    @Test
    void curatorKeepsUsOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();

        assertThat(registry.lock(NAME).tryAcquire()).isEmpty();

        Future<LockHandle> wait = actor("ours").start(() -> registry.lock(NAME).acquire());
        awaitSeats(2);
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void weKeepCuratorOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        LockHandle handle = registry.lock(NAME).acquire();

        assertThat(mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();

        Actor theirs = actor("theirs");
        Future<?> wait = theirs.startAct(mutex::acquire);
        awaitSeats(2);
        handle.close();
        Actor.join(wait);
        theirs.act(mutex::release);
    }

    @Test
    void noTwoAreInsideUnderLoad() {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        int rounds = 40;
        int[] counter = new int[1];
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            work.add(actor("ours " + i).startAct(() -> {
                for (int round = 0; round < rounds; round++) {
                    registry.lock(NAME).lock();
                    increment(counter);
                    registry.lock(NAME).unlock();
                }
            }));
            work.add(actor("theirs " + i).startAct(() -> {
                for (int round = 0; round < rounds; round++) {
                    mutex.acquire();
                    increment(counter);
                    mutex.release();
                }
            }));
        }

        work.forEach(Actor::join);

        assertThat(counter[0]).isEqualTo(6 * rounds);
    }

    @Test
    void allAreServedInTheOrderOfTheirArrival() throws Exception {
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        InterProcessMutex holder = new InterProcessMutex(curator, PATH);
        ZooKeeperLockRegistry other =
                open(builder().connectString(server.connectString()).build());
        holder.acquire();
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ZooKeeperLockRegistry ours = i == 0 ? registry : other;
            if (i < 2) {
                waits.add(serve(
                        served,
                        "ours " + i,
                        () -> ours.lock(NAME).lock(),
                        () -> ours.lock(NAME).unlock()));
                awaitSeats(2 * i + 2);
            }
            InterProcessMutex theirs = new InterProcessMutex(curator, PATH);
            waits.add(serve(served, "theirs " + i, theirs::acquire, theirs::release));
            awaitSeats(Math.min(2 * i + 3, 6));
        }

        holder.release();
        waits.forEach(Actor::join);

        assertThat(served).containsExactly("ours 0", "theirs 0", "ours 1", "theirs 1", "theirs 2");
    }

    @Test
    void inspectorTellsCuratorsHolderWithoutAnOwner() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        Future<LockHandle> wait = actor("ours").start(() -> registry.lock(NAME).acquire());
        awaitSeats(2);

        List<Seat> queue = registry.inspector().queue(NAME);

        assertThat(queue).hasSize(2);
        assertThat(queue.get(0).owner()).isEmpty();
        assertThat(queue.get(0).sessionId())
                .isEqualTo(Long.toHexString(
                        curator.getZookeeperClient().getZooKeeper().getSessionId()));
        assertThat(queue.get(1).owner()).isPresent();
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void evictionPutsCuratorsHolderOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        String head = registry.inspector().queue(NAME).get(0).id();

        assertThat(registry.inspector().evict(NAME, head)).isTrue();

        LockHandle next = registry.lock(NAME).acquire(Duration.ofSeconds(60));
        assertThat(mutex.getParticipantNodes())
                .singleElement()
                .asString()
                .contains(registry.inspector().held().get(0).seatId());
        next.close();
    }

    @Test
    void m25RewritingThePredecessorGrantsNothing() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        mutex.acquire();
        Future<LockHandle> wait = actor("ours").start(() -> registry.lock(NAME).acquire());
        awaitSeats(2);
        awaitUntil(() -> server.watches() == 1);
        long readsBefore = server.traffic().total("getData");

        Revoker.attemptRevoke(curator, mutex.getParticipantNodes().iterator().next());

        // the event has arrived: the predecessor is read and watched again
        awaitUntil(() -> server.traffic().total("getData") > readsBefore && server.watches() == 1);
        assertThat(server.traffic().total("event NodeDataChanged")).isEqualTo(1);
        assertThat(wait.isDone()).isFalse();
        assertThat(registry.inspector().held()).isEmpty();
        mutex.release();
        Actor.join(wait).close();
    }

    @Test
    void nestedLocksOfOursDoNotBlockCuratorOnTheParent() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH);
        List<LockHandle> nested = new ArrayList<>();
        for (String below : List.of("42", "-1", "0", "%2F", "lock-", "_", "!", "a")) {
            nested.add(registry.lock(NAME + "/" + below).acquire());
        }

        boolean acquired = mutex.acquire(60, TimeUnit.SECONDS);

        assertThat(acquired).isTrue();
        mutex.release();
        nested.forEach(LockHandle::close);
    }

    @Test
    void curatorOnANestedPathDoesNotBlockUsOnTheParent() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(curator, PATH + "/0");
        mutex.acquire();

        try (LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60))) {

            assertThat(handle.isHeld()).isTrue();
        }
        mutex.release();
    }

    @Test
    void seatOfAnotherKindIsRefused() throws Exception {
        InterProcessReadWriteLock readWrite = new InterProcessReadWriteLock(curator, PATH);
        readWrite.writeLock().acquire();

        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> registry.lock(NAME).acquire())
                .withMessageContaining("'" + NAME + "'");

        awaitSeats(1);
        readWrite.writeLock().release();
    }

    @Test
    void clientWithANamespaceSharesTheLockUnderThatNamespace() throws Exception {
        CuratorFramework named = start(CuratorFrameworkFactory.builder().namespace("team"));
        ZooKeeperLockRegistry ours = open(builder().client(named).build());
        InterProcessMutex same = new InterProcessMutex(curator, "/team" + PATH);

        try (LockHandle handle = ours.lock(NAME).acquire()) {

            assertThat(Leftovers.seats(server)).singleElement().asString().startsWith("/team" + PATH);
            assertThat(same.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(ours.inspector().queue(NAME)).hasSize(1);
            assertThat(ours.inspector().names("/", "", 10)).contains(handle.name());
            assertThat(registry.lock(NAME).tryLock()).isTrue();
            registry.lock(NAME).unlock();
        }
        same.acquire();
        same.release();
    }

    @Test
    void nodesHaveTheAccessListsOfTheClientsProvider() throws Exception {
        CuratorFramework closed = start(CuratorFrameworkFactory.builder()
                .authorization("digest", "us:secret".getBytes(StandardCharsets.UTF_8))
                .aclProvider(creatorOnly()));
        ZooKeeperLockRegistry ours =
                open(builder().client(closed).basePath("/closed").build());

        try (LockHandle handle = ours.lock(NAME).acquire()) {
            ZooKeeperLockRegistry strangers = open(builder()
                    .connectString(server.connectString())
                    .basePath("/closed")
                    .build());

            String seat = Leftovers.seats(server).get(0);
            assertThat(closed.getACL().forPath(seat)).isEqualTo(creatorOnly().getDefaultAcl());
            assertThat(closed.getACL().forPath("/closed" + NAME))
                    .isEqualTo(creatorOnly().getDefaultAcl());
            assertThatExceptionOfType(LockAccessDeniedException.class)
                    .isThrownBy(() -> strangers.lock(NAME).acquire(Duration.ofSeconds(60)))
                    .withMessageContaining("access list");
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void nodesHaveTheAccessListsThatTheBuilderWasGiven() throws Exception {
        CuratorFramework authorized = start(CuratorFrameworkFactory.builder()
                .authorization("digest", "us:secret".getBytes(StandardCharsets.UTF_8)));
        ZooKeeperLockRegistry ours =
                open(builder().client(authorized).acl(creatorOnly()).build());

        try (LockHandle handle = ours.lock(NAME).acquire()) {

            assertThat(authorized.getACL().forPath(Leftovers.seats(server).get(0)))
                    .isEqualTo(creatorOnly().getDefaultAcl());
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void childrenThatAreNoSeatsAreIgnored() throws Exception {
        try (Operator operator = new Operator(server.connectString())) {
            operator.create(PATH + "/notes", "by hand", CreateMode.PERSISTENT);
            operator.create(PATH + "/backup-0000000000", "", CreateMode.PERSISTENT);
        }

        try (LockHandle handle = registry.lock(NAME).acquire(Duration.ofSeconds(60))) {

            assertThat(handle.isHeld()).isTrue();
            assertThat(registry.inspector().queue(NAME)).hasSize(1);
        }
    }

    @Test
    void ownerDescriptionsOfOthersAreNotTrusted() throws Exception {
        try (Operator operator = new Operator(server.connectString())) {
            String hostile = "{\"instance\":\"" + "x".repeat(2_000) + "\",\"pid\":\"rm -rf\",\"since\":\"never\"}";
            operator.create(PATH + "/lock-", hostile, CreateMode.EPHEMERAL_SEQUENTIAL);
            operator.create(PATH + "/lock-", "{{{{", CreateMode.EPHEMERAL_SEQUENTIAL);
            operator.create(PATH + "/lock-", hostile.repeat(100), CreateMode.EPHEMERAL_SEQUENTIAL);

            List<Seat> queue = registry.inspector().queue(NAME);

            assertThat(queue).hasSize(3);
            assertThat(queue.get(0).owner().orElseThrow().instance()).hasSizeLessThan(300);
            assertThat(queue.get(0).owner().orElseThrow().pid()).isZero();
            assertThat(queue.get(0).owner().orElseThrow().since()).isNull();
            assertThat(queue.get(1).owner()).isEmpty();
            assertThat(queue.get(2).owner()).isEmpty();
        }
    }

    private Future<?> serve(List<String> served, String who, Actor.Step acquire, Actor.Step release) {
        return actor(who).startAct(() -> {
            acquire.run();
            served.add(who);
            release.run();
        });
    }

    // not atomic on purpose: two at once would lose an increment
    private static void increment(int[] counter) {
        int seen = counter[0];
        Thread.onSpinWait();
        counter[0] = seen + 1;
    }

    private static ZooKeeperLockRegistry.Builder builder() {
        return ZooKeeperLockRegistry.builder().sessionTimeout(Duration.ofSeconds(4));
    }

    private static ACLProvider creatorOnly() {
        // not List.of, which ZooKeeper's client cannot ask for a null
        List<ACL> acl = Collections.singletonList(new ACL(Perms.ALL, new Id("digest", digest())));
        return new ACLProvider() {
            @Override
            public List<ACL> getDefaultAcl() {
                return acl;
            }

            @Override
            public List<ACL> getAclForPath(String path) {
                return path.equals("/") ? Ids.OPEN_ACL_UNSAFE : acl;
            }
        };
    }

    private static String digest() {
        try {
            return DigestAuthenticationProvider.generateDigest("us:secret");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private CuratorFramework start(CuratorFrameworkFactory.Builder builder) {
        CuratorFramework client = open(builder.connectString(server.connectString())
                .sessionTimeoutMs(4_000)
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        return client;
    }

    private <T extends AutoCloseable> T open(T each) {
        opened.push(each);
        return each;
    }

    private Actor actor(String name) {
        return open(new Actor(name));
    }

    private void awaitSeats(int count) {
        awaitUntil(() -> Leftovers.seats(server).size() == count);
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }
}
