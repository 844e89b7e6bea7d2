package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import io.github.zklock.fixture.TcpProxy.Fate;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients that the registry was given and others may use, too: their namespaces, credentials and access lists, resets and
 * ends.
 */
class ForeignClientTest {

    private static final String NAME = "/shared";
    private static final String PATH = "/locks/shared";
    private static final int LONG_SESSION_MILLIS = 600_000;
    private static final int SHORT_SESSION_MILLIS = 4_000;
    private static final int SEQUENCE_DIGITS = 10;

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final ZooKeeperLockRegistry registry = real.registry();
    private final CuratorFramework curator = real.foreigner();

    @Test
    void clientWithANamespaceSharesTheLockUnderThatNamespace() throws Exception {
        CuratorFramework named =
                real.start(CuratorFrameworkFactory.builder().namespace("team"), server.connectString());
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(named).build());
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
        CuratorFramework closed = real.start(
                CuratorFrameworkFactory.builder()
                        .authorization("digest", "us:secret".getBytes(StandardCharsets.UTF_8))
                        .aclProvider(creatorOnly()),
                server.connectString());
        ZooKeeperLockRegistry ours = real.open(
                RealServer.builder().client(closed).basePath("/closed").build());

        try (LockHandle handle = ours.lock(NAME).acquire()) {
            ZooKeeperLockRegistry strangers = real.open(RealServer.builder()
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
        CuratorFramework authorized = real.start(
                CuratorFrameworkFactory.builder().authorization("digest", "us:secret".getBytes(StandardCharsets.UTF_8)),
                server.connectString());
        ZooKeeperLockRegistry ours = real.open(
                RealServer.builder().client(authorized).acl(creatorOnly()).build());

        try (LockHandle handle = ours.lock(NAME).acquire()) {

            assertThat(authorized.getACL().forPath(Leftovers.seats(server).get(0)))
                    .isEqualTo(creatorOnly().getDefaultAcl());
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void m24ResetOfASharedClientIsToldBeforeTheSeatIsGone() throws Exception {
        CuratorFramework shared = real.start(ZooKeeperLockRegistry.clientBuilder(), server.connectString());
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(shared).build());
        LockHandle handle = ours.lock(NAME).acquire();

        shared.getZookeeperClient().reset();
        boolean heldAfter = handle.isHeld();

        // the close of the session is sent by reset(); it returns after that
        assertThat(heldAfter).isFalse();
        RealServer.awaitUntil(() -> handle.state() == LockState.LOST);
        ours.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void m24ForeignClientThatIsClosedEndsItsLocks() throws Exception {
        CuratorFramework foreign = real.start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();

        foreign.close();

        RealServer.awaitUntil(() -> handle.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        registry.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    /** The registry has a session of its own. */
    @Test
    void m24ForeignClientThatIsResetKeepsItsLocks() throws Exception {
        CuratorFramework foreign = real.start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();

        foreign.getZookeeperClient().reset();

        assertThat(foreign.checkExists().forPath(PATH)).isNotNull();
        RealServer.awaitAnswers(ours);
        assertThat(handle.state()).isEqualTo(LockState.HELD);
        assertThat(registry.lock(NAME).tryLock()).isFalse();
        handle.close();
    }

    /** The session timeout is so long that no share of it can pass within the limit of the request. */
    @Test
    void l36FirstGrantDoesNotWaitForAShareOfTheSessionTimeout() throws Exception {
        CuratorFramework foreign = real.open(CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .sessionTimeoutMs(LONG_SESSION_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .build());
        foreign.start();
        assertThat(foreign.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(foreign).build());

        try (LockHandle handle = ours.lock(NAME).acquire(Duration.ofSeconds(10))) {

            assertThat(handle.isHeld()).isTrue();
            assertThat(ours.inspector().session().timeout()).isEqualTo(Duration.ofMillis(LONG_SESSION_MILLIS));
        }
    }

    @Test
    void clientThatCannotConnectYetServesWhenTheServersAreThere() throws Exception {
        server.stop();
        CuratorFramework foreign = real.foreigner();
        ZooKeeperLockRegistry ours =
                real.open(RealServer.builder().client(foreign).build());

        server.start();

        ours.lock(NAME).acquire(Duration.ofSeconds(60)).close();
    }

    @Test
    void credentialsThatAreAddedToTheClientLaterAreUsed() throws Exception {
        curator.create().withACL(creatorOnly().getDefaultAcl()).forPath("/closed");
        CuratorFramework foreign = real.foreigner();
        ZooKeeperLockRegistry ours = real.open(
                RealServer.builder().client(foreign).basePath("/closed").build());
        assertThatExceptionOfType(LockAccessDeniedException.class)
                .isThrownBy(() -> ours.lock(NAME).acquire(Duration.ofSeconds(60)));

        foreign.getZookeeperClient().getZooKeeper().addAuthInfo("digest", "us:secret".getBytes(StandardCharsets.UTF_8));

        RealServer.awaitUntil(() -> {
            try {
                ours.lock(NAME).acquire(Duration.ofSeconds(60)).close();
                return true;
            } catch (LockAccessDeniedException notYet) {
                return false;
            }
        });
    }

    @Test
    void viewOfANamespaceServesUntilItsClientIsClosed() throws Exception {
        CuratorFramework foreign = real.foreigner();
        ZooKeeperLockRegistry ours = real.open(
                RealServer.builder().client(foreign.usingNamespace("team")).build());
        LockHandle handle = ours.lock(NAME).acquire(Duration.ofSeconds(60));
        assertThat(Leftovers.seats(server)).singleElement().asString().startsWith("/team" + PATH);

        foreign.close();

        RealServer.awaitUntil(() -> handle.state() == LockState.LOST);
        RealServer.awaitUntil(() -> Leftovers.seats(server).isEmpty());
    }

    @Test
    void foreignClientIsLeftOpenByTheRegistry() throws Exception {
        CuratorFramework foreign = real.start(CuratorFrameworkFactory.builder(), server.connectString());
        ZooKeeperLockRegistry ours = real.open(
                RealServer.builder().onClose(OnClose.KEEP_HELD).client(foreign).build());
        LockHandle handle = ours.lock(NAME).acquire();
        long session = Long.parseUnsignedLong(ours.inspector().session().id(), 16);

        ours.close();

        assertThat(handle.state()).isEqualTo(LockState.HELD);
        assertThat(ours.terminated().toCompletableFuture()).isNotDone();
        handle.close();
        Actor.join(ours.terminated().toCompletableFuture());
        assertThat(foreign.checkExists().forPath("/locks")).isNotNull();
        RealServer.awaitUntil(() -> Leftovers.seats(server).isEmpty());
        RealServer.awaitUntil(() -> !server.sessions().contains(session));
    }

    /** The test creates a second node of the seat, as a server that was cut off does when it passes on the lost create. */
    @Test
    void nodeThatIsCreatedAfterTheCloseIsDeletedAlthoughTheSessionStays() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.connectString())) {
            CuratorFramework shared = real.open(ZooKeeperLockRegistry.clientBuilder()
                    .connectString(proxy.connectString())
                    .sessionTimeoutMs(SHORT_SESSION_MILLIS)
                    .retryPolicy(new RetryOneTime(100))
                    .build());
            shared.start();
            ZooKeeperLockRegistry ours =
                    real.open(RealServer.builder().client(shared).build());
            ours.lock(NAME).acquire(Duration.ofSeconds(60)).close();
            assertThat(ours.inspector().session().id())
                    .isEqualTo(Long.toHexString(
                            shared.getZookeeperClient().getZooKeeper().getSessionId()));
            AtomicInteger cuts = new AtomicInteger();
            proxy.intercept(message -> message.direction() == Direction.REPLY
                            && message.operation() == OpCode.create2
                            && cuts.compareAndSet(0, 1)
                    ? Fate.CUT_BEFORE
                    : Fate.PASS);
            LockHandle handle = ours.lock("/late").acquire(Duration.ofSeconds(60));
            String seat = Leftovers.seats(server).stream()
                    .filter(path -> path.startsWith("/locks/late"))
                    .findFirst()
                    .orElseThrow();
            handle.close();

            ours.close();

            assertThat(cuts).hasValue(1);
            assertThat(ours.terminated().toCompletableFuture()).isDone();
            assertThat(Leftovers.seats(server)).isEmpty();
            shared.create()
                    .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath(seat.substring(0, seat.length() - SEQUENCE_DIGITS));
            assertThat(Leftovers.seats(server)).hasSize(1);
            RealServer.awaitUntil(() -> Leftovers.seats(server).isEmpty());
        }
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
}
