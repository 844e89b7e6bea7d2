package io.github.zklock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;

import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.autoconfigure.ZkLockStartupException;
import io.github.zklock.fixture.Ports;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.support.SimpleThreadScope;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedServerTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class));

    private final ApplicationContextRunner embedded = contexts.withPropertyValues("zk.lock.embedded.port=0");

    @TempDir
    Path folder;

    @Test
    void aConnectStringKeepsTheServerAway() {
        contexts.withPropertyValues("zk.lock.connect-string=127.0.0.1:1")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DevelopmentServer.class)
                        .getBean(ZkLockConnectionDetails.class)
                        .extracting(ZkLockConnectionDetails::getConnectString)
                        .isEqualTo("127.0.0.1:1"));
    }

    @Test
    void lockIsTakenThroughTheServerThatTheContextStarted() {
        embedded.run(context -> {
            LockHandle handle =
                    context.getBean(LockRegistry.class).lock("/orders").acquire(LONG);

            assertThat(handle.isHeld()).isTrue();
            assertThat(context.getBean(DevelopmentServer.class).isOwn()).isTrue();
            handle.close();
        });
    }

    @Test
    void serverOutlivesRegistryAndClient() {
        ClientAtTheEndOfTheServer watch = new ClientAtTheEndOfTheServer();

        embedded.withBean(ClientAtTheEndOfTheServer.class, () -> watch)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(watch.states).containsExactly(CuratorFrameworkState.STOPPED);
    }

    @Test
    void serverOutlivesTheClientIfAStageOfTheApplicationRunsLong() {
        ClientAtTheEndOfTheServer watch = new ClientAtTheEndOfTheServer();
        CompletableFuture<Void> over = new CompletableFuture<>();

        embedded.withBean(ClientAtTheEndOfTheServer.class, () -> watch).run(context -> {
            // as many as threads may complete the stage
            for (int i = 0; i < 10; i++) {
                CompletionStage<Void> terminated =
                        context.getBean(ZooKeeperLockRegistry.class).terminated();
                assertThat(terminated.thenRun(over::join)).isNotNull();
            }
        });

        over.complete(null);
        assertThat(watch.states).containsExactly(CuratorFrameworkState.STOPPED);
    }

    @Test
    void aClientOfTheApplicationKeepsTheServerAway() {
        CuratorFramework own = CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(10));
        own.start();

        embedded.withBean(CuratorFramework.class, () -> own)
                .run(context -> assertThat(context.getBeanFactory().containsSingleton("zkLockDevelopmentServer"))
                        .isFalse());
    }

    @Test
    void connectionDetailsOfOthersKeepTheServerAway() {
        embedded.withBean(ZkLockConnectionDetails.class, () -> () -> "127.0.0.1:1")
                .run(context -> assertThat(context)
                        .hasSingleBean(ZkLockConnectionDetails.class)
                        .doesNotHaveBean(DevelopmentServer.class));
    }

    @Test
    void secondContextJoinsTheServerOfTheFirst() {
        ApplicationContextRunner sharing = embedded.withPropertyValues(
                "zk.lock.embedded.port=" + Ports.free(), "zk.lock.embedded.data-directory=" + folder);

        sharing.run(first -> sharing.run(second -> {
            LockHandle handle =
                    first.getBean(LockRegistry.class).lock("/orders").acquire(LONG);
            var busy = second.getBean(LockRegistry.class).lock("/orders").tryAcquire();

            assertThat(second.getBean(DevelopmentServer.class).isOwn()).isFalse();
            assertThat(busy).isEmpty();
            handle.close();
        }));
    }

    @Test
    void ofTwoThatStartAtOnceOneServesAndTheOtherJoins() {
        int port = Ports.free();
        List<CompletableFuture<DevelopmentServer>> starting = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> DevelopmentServer.start(port, folder)))
                .limit(2)
                .toList();

        List<DevelopmentServer> started =
                starting.stream().map(CompletableFuture::join).toList();

        assertThat(started).extracting(DevelopmentServer::isOwn).containsExactlyInAnyOrder(true, false);
        started.forEach(DevelopmentServer::close);
    }

    @Test
    void tokensKeepGrowingOverARestartOfTheServer() {
        ApplicationContextRunner kept = embedded.withPropertyValues("zk.lock.embedded.data-directory=" + folder);
        List<Long> tokens = new ArrayList<>();

        for (int run = 0; run < 2; run++) {
            kept.run(context -> {
                try (LockHandle handle =
                        context.getBean(LockRegistry.class).lock("/orders").acquire(LONG)) {
                    tokens.add(handle.fencingToken().value());
                }
            });
        }

        assertThat(tokens).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void folderOfAServerOnAnotherPortIsRejected() {
        DevelopmentServer first = DevelopmentServer.start(0, folder);

        Throwable refused = catchThrowable(() -> DevelopmentServer.start(0, folder));

        assertThat(refused)
                .isInstanceOf(ZkLockStartupException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("in use");
        first.close();
    }

    @Test
    void portOfAnotherProgramIsRejected() throws IOException {
        try (ServerSocket web = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> answerAsAWebServer(web));

            embedded.withPropertyValues(
                            "zk.lock.embedded.port=" + web.getLocalPort(), "zk.lock.embedded.data-directory=" + folder)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(ZkLockStartupException.class)
                            .hasMessageContaining("Port " + web.getLocalPort())
                            .extracting(failure -> ((ZkLockStartupException) failure).remedy())
                            .asString()
                            .contains("zk.lock.embedded.port"));
            web.close();
            answering.join();
        }
    }

    @Test
    void silentProgramIsNotTakenForAServer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            PortProbe probe = new PortProbe(Duration.ofMillis(200));

            PortProbe.Answer answer =
                    probe.ask(new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort()));

            assertThat(answer).isEqualTo(PortProbe.Answer.SOMETHING_ELSE);
        }
    }

    @Test
    void aBlankConnectStringStopsTheStart() {
        embedded.withPropertyValues("zk.lock.connect-string=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.connect-string is blank"));
    }

    @Test
    void noServerIsChosenWhileTheApplicationIsProcessedAheadOfTime() {
        embedded.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
                .withBean(LockRegistry.class, () -> mock())
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean(ZkLockEmbeddedAutoConfiguration.class));
    }

    @Test
    void noServerStartsOnACloudPlatform(CapturedOutput output) {
        contexts.withPropertyValues("spring.main.cloud-platform=kubernetes")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ZkLockStartupException.class)
                        .hasMessageContaining("KUBERNETES")
                        .extracting(failure -> ((ZkLockStartupException) failure).remedy())
                        .asString()
                        .contains("zk.lock.connect-string", "zk-lock-embedded", "spring.main.cloud-platform=none"));

        assertThat(output).doesNotContain("Embedded ZooKeeper server started");
    }

    @Test
    void aServerThatOthersCannotJoinStartsOnACloudPlatform() {
        embedded.withPropertyValues("spring.main.cloud-platform=kubernetes")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aWarningSaysThatTheServerIsNotForProduction(CapturedOutput output) {
        embedded.run(context -> assertThat(output.getOut()
                        .lines()
                        .filter(line -> line.contains("WARN") && line.contains("DEVELOPMENT ONLY")))
                .singleElement()
                .asString()
                .contains("zk.lock.connect-string", "zk-lock-embedded"));
    }

    @Test
    void serverAndTheLocksOfOthersSurviveARestartByDevtools() {
        int port = Ports.free();
        ApplicationContextRunner restarting = embedded.withInitializer(
                        context -> context.getBeanFactory().registerScope("restart", new SimpleThreadScope()))
                .withPropertyValues("zk.lock.embedded.port=" + port, "zk.lock.embedded.data-directory=" + folder);
        ApplicationContextRunner others = contexts.withPropertyValues("zk.lock.connect-string=127.0.0.1:" + port);
        List<DevelopmentServer> started = new ArrayList<>();

        restarting.run(first -> started.add(first.getBean(DevelopmentServer.class)));

        assertThat(new PortProbe(LONG).ask(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                .isEqualTo(PortProbe.Answer.ZOOKEEPER);
        others.run(other -> {
            LockHandle handle =
                    other.getBean(LockRegistry.class).lock("/orders").acquire(LONG);
            List<LockEvent> events = new CopyOnWriteArrayList<>();
            other.getBean(LockRegistry.class).addListener(events::add);

            restarting.run(second -> {
                assertThat(second.getBean(DevelopmentServer.class).isOwn()).isFalse();
                assertThat(second.getBean(LockRegistry.class).lock("/orders").tryAcquire())
                        .isEmpty();
            });

            assertThat(handle.isHeld()).isTrue();
            assertThat(events).noneMatch(event -> event instanceof LockEvent.Suspended);
            handle.close();
        });
        assertThat(started).singleElement().extracting(DevelopmentServer::isOwn).isEqualTo(true);
        started.forEach(DevelopmentServer::stop);
    }

    @Test
    void serverThatSurvivesARestartDoesNotKeepTheProcessRunning() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DevelopmentServer server = DevelopmentServer.startUntilTheProcessEnds(Ports.free(), folder);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .filteredOn(thread ->
                        thread.getThreadGroup() == Thread.currentThread().getThreadGroup())
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        server.stop();
    }

    @Test
    void folderBelowTheSharedOneIsOfThisUserAlone() throws IOException {
        Path own = folder.resolve("own");

        ServerDirectory.ofThisUser(own).close();

        assertThat(Files.getPosixFilePermissions(own)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void folderThatBelongsToAnotherUserIsRejected() throws IOException {
        Path prepared = Files.createDirectory(folder.resolve("prepared"));
        try {
            Files.setOwner(
                    prepared,
                    prepared.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException notPermitted) {
            assumeTrue(false, "SKIPPED: only root can give a folder to another user");
        }

        assertThatExceptionOfType(AccessDeniedException.class)
                .isThrownBy(() -> ServerDirectory.ofThisUser(prepared))
                .withMessageContaining("belongs to another user");
    }

    @Test
    void portOutOfRangeIsRejected() {
        embedded.withPropertyValues("zk.lock.embedded.port=70000")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.embedded.port 70000 is not a port"));
    }

    private static final class ClientAtTheEndOfTheServer implements DestructionAwareBeanPostProcessor {

        private final List<CuratorFramework> clients = new ArrayList<>();
        private final List<CuratorFrameworkState> states = new ArrayList<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof CuratorFramework client) {
                clients.add(client);
            }
            return bean;
        }

        @Override
        public void postProcessBeforeDestruction(Object bean, String name) {
            if (bean instanceof DevelopmentServer) {
                clients.forEach(client -> states.add(client.getState()));
            }
        }
    }

    private static void answerAsAWebServer(ServerSocket listener) {
        while (true) {
            try (Socket client = listener.accept()) {
                client.getInputStream().readNBytes(4);
                client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (SocketException closed) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
