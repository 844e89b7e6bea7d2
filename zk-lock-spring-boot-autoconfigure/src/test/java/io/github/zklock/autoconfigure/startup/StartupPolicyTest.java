package io.github.zklock.autoconfigure.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.CuratorFrameworkBuilderCustomizer;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockStartupException;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

class StartupPolicyTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String PROTECTED = "/protected";

    private static LocalZooKeeper server;

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockStartupAutoConfiguration.class))
            .withPropertyValues("zk.lock.connect-string=" + server.connectString());

    private final ApplicationContextRunner checked = contexts.withPropertyValues("zk.lock.startup-timeout=30s");

    @BeforeAll
    static void startServer() throws Exception {
        server = new LocalZooKeeper();
        try (CuratorFramework owner = clientOf("alice:secret")) {
            owner.create().withACL(Ids.CREATOR_ALL_ACL).forPath(PROTECTED);
        }
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    void startsWhereALockCanBeTakenAndLeavesNoTrace() {
        checked.withPropertyValues("zk.lock.base-path=/fresh/locks").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(server.stat("/fresh/locks")).isPresent();
            assertThat(server.treeBelow("/fresh/locks")).isEmpty();
        });
    }

    @Test
    void theStartFailsAfterItsTimeoutEvenIfConnectionsAreAccepted() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            contexts.withPropertyValues(
                            "zk.lock.connect-string=127.0.0.1:" + silent.getLocalPort(),
                            "zk.lock.connection-timeout=1s",
                            // the close of a client that waits for such a server takes this time
                            "zk.lock.session-timeout=1s",
                            "zk.lock.startup-timeout=3s")
                    .run(context -> assertThatFailureOf(context)
                            .hasMessageContaining("zk.lock.startup-timeout")
                            .hasMessageContaining("3 s")
                            .hasMessageContaining("no server has created a session"));
        }
    }

    @Test
    void theStartContinuesWhenTheServersAnswer() {
        try (LocalZooKeeper late = new LocalZooKeeper()) {
            late.stop();
            CompletableFuture<Void> started = CompletableFuture.runAsync(() -> contexts.withPropertyValues(
                            "zk.lock.connect-string=" + late.connectString(), "zk.lock.startup-timeout=60s")
                    .run(context -> assertThat(context).hasNotFailed()));
            await().atMost(LONG).until(StartupPolicyTest::isAsking);
            assertThat(started).isNotDone();

            late.start();

            assertThat(started).succeedsWithin(LONG);
        }
    }

    @Test
    void nothingElseStartsBeforeTheCheckHasPassed() {
        Recorder afterSuccess = new Recorder();
        Recorder afterFailure = new Recorder();

        checked.withBean(Lifecycle.class, () -> afterSuccess)
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withPropertyValues("zk.lock.connect-string=127.0.0.1:1", "zk.lock.startup-timeout=100ms")
                .withBean(Lifecycle.class, () -> afterFailure)
                .run(context -> assertThat(context).hasFailed());

        assertThat(afterSuccess.started).isTrue();
        assertThat(afterFailure.started).isFalse();
    }

    @Test
    void accessListThatForbidsTheBasePathIsFound() {
        checked.withPropertyValues("zk.lock.base-path=" + PROTECTED)
                .run(context -> assertThatFailureOf(context)
                        .hasMessageContaining("access list")
                        .hasMessageContaining(PROTECTED)
                        .hasMessageContaining("zk.lock.base-path"));
    }

    @Test
    void accessListThatForbidsAParentOfTheBasePathIsFound() {
        checked.withPropertyValues("zk.lock.base-path=" + PROTECTED + "/locks")
                .run(context -> assertThatFailureOf(context)
                        .hasMessageContaining("access list")
                        .hasMessageContaining(PROTECTED));
    }

    @Test
    void identityThatTheAccessListNamesIsLetIn() {
        checked.withPropertyValues(
                        "zk.lock.base-path=" + PROTECTED, "zk.lock.auth.username=alice", "zk.lock.auth.password=secret")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void wrongPasswordIsDetectedIfAnAccessListRequiresIt() {
        checked.withPropertyValues(
                        "zk.lock.base-path=" + PROTECTED,
                        "zk.lock.auth.username=alice",
                        "zk.lock.auth.password=hunter2")
                .run(context -> assertThatFailureOf(context)
                        .hasMessageContaining("access list")
                        .hasMessageNotContaining("hunter2"));
    }

    @Test
    void authenticationThatTheServersRejectIsDetected() {
        checked.withBean(
                        CuratorFrameworkBuilderCustomizer.class,
                        () -> builder ->
                                builder.authorization("nosuchscheme", "hunter2".getBytes(StandardCharsets.UTF_8)))
                .run(context -> assertThatFailureOf(context)
                        .hasMessageContaining("reject the authentication")
                        .hasMessageNotContaining("hunter2"));
    }

    @Test
    void pathOfTheConnectStringThatDoesNotExistIsFound() {
        checked.withPropertyValues("zk.lock.connect-string=" + server.connectString() + "/nowhere")
                .run(context -> assertThatFailureOf(context)
                        .hasMessageContaining("end of the connect string does not exist")
                        .hasMessageContaining("/nowhere"));
    }

    @Test
    void accessListThatNeedsAnIdentityIsRejectedForAClientWithoutOne() {
        checked.withPropertyValues("zk.lock.base-path=/owned", "zk.lock.acl=creator-all")
                .withBean(CuratorFramework.class, () -> clientOf(null))
                .run(context -> assertThatFailureOf(context).hasMessageContaining("zk.lock.acl"));
    }

    @Test
    void aStartWithoutATimeoutWarnsIfTheServersRejectTheClient() {
        try (LogRecording log = new LogRecording("io.github.zklock.autoconfigure", Level.WARN)) {
            contexts.withPropertyValues("zk.lock.base-path=" + PROTECTED).run(context -> {
                await().atMost(LONG).until(() -> !log.messagesOf("StartupCheck").isEmpty());

                assertThat(context).hasNotFailed();
                assertThat(log.messagesOf("StartupCheck"))
                        .singleElement()
                        .asString()
                        .contains("access list")
                        .contains("zk.lock.auth");
            });
        }
    }

    @Test
    void registryOfTheApplicationNeedsNoCheck() {
        contexts.withPropertyValues("zk.lock.connect-string=127.0.0.1:1", "zk.lock.startup-timeout=30s")
                .withBean(
                        LockRegistry.class,
                        () -> ZooKeeperLockRegistry.builder()
                                .connectString("127.0.0.1:1")
                                .build())
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(StartupCheck.class));
    }

    private static boolean isAsking() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("zk-lock-startup"));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertThatFailureOf(
            AssertableApplicationContext context) {
        return assertThat(context).getFailure().cause().isInstanceOf(ZkLockStartupException.class);
    }

    private static CuratorFramework clientOf(String identity) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .retryPolicy(new RetryOneTime(10));
        if (identity != null) {
            builder.authorization("digest", identity.getBytes(StandardCharsets.UTF_8));
        }
        CuratorFramework client = builder.build();
        client.start();
        return client;
    }

    /** A bean that the application starts in the earliest phase. */
    private static final class Recorder implements SmartLifecycle {

        private final AtomicBoolean started = new AtomicBoolean();

        @Override
        public void start() {
            started.set(true);
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return started.get();
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE + 1;
        }
    }
}
