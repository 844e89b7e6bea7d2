package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.startup.ZkLockStartupAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A client without credentials has no effect on locks under {@code zk.lock.acl=creator-all}. */
class ClientWithoutCredentialsTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BASE = "/secured";
    private static final String FOLDER = BASE + "/order";

    private static LocalZooKeeper server;
    private static ConfigurableApplicationContext owner;
    private static ShopApplication stranger;
    private static CuratorFramework client;

    private LockHandle held;
    private String seat;

    @BeforeAll
    static void start() {
        server = new LocalZooKeeper();
        owner = new SpringApplicationBuilder(Owner.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "zk.lock.connect-string=" + server.connectString(),
                        "zk.lock.base-path=" + BASE,
                        "zk.lock.acl=creator-all",
                        "zk.lock.auth.username=alice",
                        "zk.lock.auth.password=wonderland",
                        "zk.lock.startup-timeout=30s")
                .run();
        stranger = new ShopApplication(
                WebApplicationType.SERVLET,
                "zk.lock.connect-string=" + server.connectString(),
                "zk.lock.connection-timeout=60s",
                "zk.lock.base-path=" + BASE,
                "management.endpoint.zklocks.access=unrestricted");
        client = CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(10));
        client.start();
    }

    @AfterAll
    static void stop() {
        client.close();
        stranger.close();
        owner.close();
        server.close();
    }

    @BeforeEach
    void hold() throws Exception {
        held = owner.getBean(LockRegistry.class).lock("/order").acquire(LONG);
        seat = server.treeBelow(FOLDER).get(0);
    }

    @AfterEach
    void theHolderHasLostNothing() {
        assertThat(server.treeBelow(FOLDER)).containsExactly(seat);
        assertThat(held.state()).isEqualTo(LockState.HELD);
        assertThat(held.isHeld()).isTrue();
        held.close();
        held.released().toCompletableFuture().join();
    }

    @Test
    void aBareClientSeesNoNameQueueOrOwner() throws Exception {
        ZooKeeper bare = client.getZookeeperClient().getZooKeeper();

        assertForbidden(() -> bare.getChildren(BASE, false));
        assertForbidden(() -> bare.getAllChildrenNumber(BASE));
        assertForbidden(() -> bare.getChildren(FOLDER, true));
        assertForbidden(() -> bare.getChildren(FOLDER, false, null));
        assertForbidden(() -> bare.getData(FOLDER, false, null));
        assertForbidden(() -> bare.getData(seat, true, null));
        assertForbidden(() -> bare.getACL(seat, null));
        assertForbidden(() -> bare.multi(List.of(Op.check(seat, -1))));
    }

    @Test
    void aBareClientChangesNothing() throws Exception {
        ZooKeeper bare = client.getZookeeperClient().getZooKeeper();
        byte[] nothing = new byte[0];

        assertForbidden(() -> bare.create(BASE + "/mine", nothing, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        assertForbidden(
                () -> bare.create(FOLDER + "/lock-", nothing, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL));
        assertForbidden(() -> bare.setData(seat, nothing, -1));
        assertForbidden(() -> bare.setACL(seat, Ids.OPEN_ACL_UNSAFE, -1));
        assertForbidden(() -> bare.setACL(FOLDER, Ids.OPEN_ACL_UNSAFE, -1));
        assertForbidden(() -> bare.multi(List.of(Op.delete(seat, -1))));
        assertForbidden(() -> {
            bare.delete(seat, -1);
            return seat;
        });
    }

    @Test
    void otherCredentialsAreNone() throws Exception {
        try (CuratorFramework mallory = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .retryPolicy(new RetryOneTime(10))
                .authorization("digest", "alice:guessed".getBytes(StandardCharsets.UTF_8))
                .build()) {
            mallory.start();

            assertForbidden(() -> mallory.getData().forPath(seat));
            assertForbidden(() -> mallory.delete().forPath(seat));
        }
    }

    @Test
    void theRegistryAcquiresNoLockAndReportsTheReason() {
        LockRegistry registry = stranger.registry();

        assertDenied(() -> registry.lock("/order").acquire(LONG));
        assertDenied(() -> registry.lock("/order").tryAcquire());
        assertDenied(() -> registry.readWriteLock("/order").readLock().acquire(LONG));
        assertDenied(() -> registry.semaphore("/order", 3).acquire(LONG));
        assertDenied(() -> registry.lock("/order/below").acquire(LONG));
        assertDenied(() -> registry.lock("/another").acquire(LONG));
    }

    @Test
    void theInspectorReadsAndReleasesNothingAndReportsTheReason() {
        LockInspector inspector = stranger.registry().inspector();
        String id = owner.getBean(LockRegistry.class).inspector().held().get(0).seatId();

        assertDenied(() -> inspector.queue("/order"));
        assertDenied(() -> inspector.names("/", "", 10));
        assertDenied(() -> inspector.names("/order", "", 10));
        assertDenied(() -> stranger.registry().semaphore("/order", 3).availablePermits());
        assertDenied(() -> inspector.evict("/order", id));
    }

    @Test
    void theEndpointReadsAndReleasesNothingAndReportsTheReason() {
        String id = owner.getBean(LockRegistry.class).inspector().held().get(0).seatId();

        assertRefused(stranger.get("/actuator/zklocks/order"));
        assertRefused(stranger.get("/actuator/zklocks?prefix=/"));
        assertRefused(stranger.delete("/actuator/zklocks/order?seat=" + id));
        assertThat(stranger.get("/actuator/zklocks").body()).doesNotContain("/order", id);
    }

    private static void assertForbidden(Callable<?> attempt) {
        assertThatExceptionOfType(NoAuthException.class).isThrownBy(attempt::call);
    }

    private static void assertDenied(Callable<?> attempt) {
        assertThatExceptionOfType(LockAccessDeniedException.class)
                .isThrownBy(attempt::call)
                .withMessageContaining("access list");
    }

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(JsonPath.<String>read(answer.body(), "$.error"))
                .contains("access list")
                .doesNotContain("alice");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        ZkLockAutoConfiguration.class,
        ZkLockStartupAutoConfiguration.class
    })
    static class Owner {}
}
