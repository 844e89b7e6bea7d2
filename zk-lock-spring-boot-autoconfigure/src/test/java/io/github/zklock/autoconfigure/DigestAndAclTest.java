package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockProperties.Auth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DigestAndAclTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void onlyTheCreatorReadsAndDeletesItsNodes() {
        as("alice", "creator-all", "/secured").run(context -> {
            LockRegistry registry = context.getBean(LockRegistry.class);
            try (CuratorFramework stranger = stranger();
                    LockHandle held = registry.lock("/order").acquire(LONG)) {
                List<String> seats = Contexts.server().treeBelow("/secured/order");

                assertThat(seats).hasSize(1);
                assertThatThrownBy(() -> stranger.getData().forPath(seats.get(0)))
                        .isInstanceOf(NoAuthException.class);
                assertThatThrownBy(() -> stranger.delete().forPath(seats.get(0)))
                        .isInstanceOf(NoAuthException.class);
                assertThatThrownBy(() -> stranger.getChildren().forPath("/secured/order"))
                        .isInstanceOf(NoAuthException.class);
                assertThatThrownBy(() -> stranger.getChildren().forPath("/secured"))
                        .isInstanceOf(NoAuthException.class);
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @Test
    void everyClientReadsWorldReadableNodesButOnlyTheCreatorDeletesThem() {
        as("alice", "read-for-world", "/readable").run(context -> {
            LockRegistry registry = context.getBean(LockRegistry.class);
            try (CuratorFramework stranger = stranger();
                    LockHandle held = registry.lock("/order").acquire(LONG)) {
                List<String> seats = Contexts.server().treeBelow("/readable/order");

                assertThat(stranger.getData().forPath(seats.get(0))).isNotEmpty();
                assertThatThrownBy(() -> stranger.delete().forPath(seats.get(0)))
                        .isInstanceOf(NoAuthException.class);
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @Test
    void aListGivesOthersTheSameLocks() throws Exception {
        String acl = Stream.of("alice", "bob")
                .map(DigestAndAclTest::entry)
                .reduce((a, b) -> a + "," + b)
                .orElseThrow();

        as("alice", acl, "/shared")
                .run(alice -> as("bob", acl, "/shared").run(bob -> {
                    alice.getBean(LockRegistry.class)
                            .lock("/order")
                            .acquire(LONG)
                            .close();
                    bob.getBean(LockRegistry.class).lock("/order").acquire(LONG).close();
                }));
        as("alice", acl, "/shared")
                .withPropertyValues("zk.lock.auth.username=mallory")
                .run(mallory -> assertThatThrownBy(() -> mallory.getBean(LockRegistry.class)
                                .lock("/order")
                                .acquire(LONG))
                        .isInstanceOf(LockAccessDeniedException.class));
    }

    @Test
    void anAccessListForTheCreatorNeedsAnIdentity() {
        Contexts.connected()
                .withPropertyValues("zk.lock.acl=creator-all", "zk.lock.base-path=/ownerless")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith(
                                "zk.lock.acl grants access only to the creator of a node, but this process has"));
    }

    @Test
    void credentialsOfTheConnectionDetailsAreTheIdentity() {
        Contexts.bare()
                .withPropertyValues(
                        "zk.lock.acl=creator-all",
                        "zk.lock.base-path=/detailed",
                        "zk.lock.auth.username=bob",
                        "zk.lock.auth.password=wonderland")
                .withBean(ZkLockConnectionDetails.class, AliceDetails::new)
                .run(context -> {
                    context.getBean(LockRegistry.class)
                            .lock("/order")
                            .acquire(LONG)
                            .close();

                    assertThat(context.getBean(CuratorFramework.class).getACL().forPath("/detailed/order"))
                            .extracting(acl -> acl.getId().getId())
                            .singleElement()
                            .asString()
                            .startsWith("alice:");
                });
    }

    @Test
    void passwordIsNotSentUnencryptedIfTheDetailsLackTheBundleOfTheProperties(CapturedOutput output) {
        Contexts.bare()
                .withPropertyValues(
                        "zk.lock.ssl.bundle=shop",
                        "zk.lock.acl=creator-all",
                        "zk.lock.auth.username=bob",
                        "zk.lock.auth.password=wonderland")
                .withBean(
                        ZkLockConnectionDetails.class,
                        () -> () -> Contexts.server().connectString())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageContaining("has no identity at the servers"));

        assertThat(output).contains("connections are not encrypted, and zk.lock.auth.* is not sent");
    }

    @Test
    void aCustomizerMayGiveTheIdentity() {
        Contexts.connected()
                .withPropertyValues("zk.lock.acl=creator-all", "zk.lock.base-path=/customized")
                .withBean(
                        CuratorFrameworkBuilderCustomizer.class,
                        () -> builder ->
                                builder.authorization("digest", "carol:secret".getBytes(StandardCharsets.UTF_8)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void noLineOfAnyLogShowsThePassword() {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        List<Logger> talkers = Stream.of(
                        "org.apache.curator", "org.apache.zookeeper", "io.github.zklock", "org.springframework")
                .map(name -> (Logger) LoggerFactory.getLogger(name))
                .toList();
        List<Level> levels = talkers.stream().map(Logger::getLevel).toList();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.setContext(root.getLoggerContext());
        lines.start();
        talkers.forEach(talker -> {
            talker.setLevel(Level.TRACE);
            talker.setAdditive(false);
            talker.addAppender(lines);
        });
        try {
            as("alice", "creator-all", "/silent").run(context -> {
                context.getBean(LockRegistry.class).lock("/order").acquire(LONG).close();
                assertThat(context.getBean(ZkLockProperties.class).auth()).isInstanceOf(Auth.class);
            });
        } finally {
            for (int i = 0; i < talkers.size(); i++) {
                talkers.get(i).detachAppender(lines);
                talkers.get(i).setAdditive(true);
                talkers.get(i).setLevel(levels.get(i));
            }
        }

        assertThat(List.copyOf(lines.list))
                .hasSizeGreaterThan(100)
                .noneMatch(line -> line.getFormattedMessage().contains("wonderland"));
    }

    private static ApplicationContextRunner as(String user, String acl, String basePath) {
        return Contexts.connected()
                .withPropertyValues(
                        "zk.lock.auth.username=" + user,
                        "zk.lock.auth.password=wonderland",
                        "zk.lock.acl=" + acl,
                        "zk.lock.base-path=" + basePath);
    }

    private static String entry(String user) {
        try {
            return "digest:" + DigestAuthenticationProvider.generateDigest(user + ":wonderland") + ":cdrwa";
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static CuratorFramework stranger() {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(Contexts.server().connectString(), new RetryOneTime(10));
        client.start();
        return client;
    }

    private static final class AliceDetails implements ZkLockConnectionDetails {

        @Override
        public String getConnectString() {
            return Contexts.server().connectString();
        }

        @Override
        public String getUsername() {
            return "alice";
        }

        @Override
        public String getPassword() {
            return "wonderland";
        }
    }
}
