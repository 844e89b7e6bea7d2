package io.github.zklock.test;

import static io.github.zklock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.LockHandle;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EmbeddedZooKeeperTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(500);

    @RegisterExtension
    final EmbeddedZooKeeperExtension zooKeeper = new EmbeddedZooKeeperExtension();

    private final List<ZooKeeperLockRegistry> registries = new ArrayList<>();

    @AfterEach
    void close() {
        // connected again first: without a server, the close of their clients would take long
        zooKeeper.heal();
        registries.forEach(registry -> registry.close(Duration.ZERO));
    }

    @Test
    void grantsLocksThatARecordingContainsCompletely() throws Exception {
        ZooKeeperLockRegistry registry = registry(LONG);
        LockRecording recording = LockRecording.of(registry);

        for (int i = 1; i <= 20; i++) {
            registry.lock("/" + i).acquire(LONG).close();

            assertThat(recording.taken()).hasSize(i);
            assertThat(recording.released()).hasSize(i);
        }
    }

    @Test
    void expiresTheSessionsOfARegistryAClientOrAll() throws Exception {
        ZooKeeperLockRegistry registry = registry(LONG);
        CuratorFramework client = ZooKeeperLockRegistry.clientBuilder()
                .connectString(zooKeeper.connectString())
                .retryPolicy(new RetryOneTime(1))
                .build();
        client.start();
        ZooKeeperLockRegistry onClient =
                added(ZooKeeperLockRegistry.builder().client(client).build());
        LockHandle x = registry.lock("/x").acquire(LONG);
        LockHandle y = onClient.lock("/y").acquire(LONG);
        LockHandle z = registry(LONG).lock("/z").acquire(LONG);

        zooKeeper.expireSession(registry);
        zooKeeper.expireSession(client);

        await().untilAsserted(() -> {
            assertThat(x).isLost();
            assertThat(y).isLost();
        });
        assertThat(z).isHeld();
        // prevents clients from reconnecting at once
        zooKeeper.sever();
        zooKeeper.expireSessions();
        await().until(() -> zooKeeper.server().sessions() == 0);
        zooKeeper.heal();
        client.close();
    }

    @Test
    void rejectsClientsWhileSeveredAndExpiresSessions() throws Exception {
        ZooKeeperLockRegistry patient = registry(LONG);
        ZooKeeperLockRegistry hasty = registry(SHORT);
        LockRecording recording = LockRecording.of(patient);
        LockHandle x = patient.lock("/x").acquire(LONG);
        LockHandle y = hasty.lock("/y").acquire(LONG);

        zooKeeper.sever();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> patient.lock("/z").acquire(Duration.ofMillis(100)));
        await().untilAsserted(() -> assertThat(patient).isCutOff());
        assertThat(recording.taken()).containsExactly("/x");
        assertThat(zooKeeper.server()).asString().endsWith(", severed]");
        await().until(() -> zooKeeper.server().sessions() == 1);
        zooKeeper.heal();
        patient.lock("/y").acquire(LONG).close();
        assertThat(x).isHeld();
        await().untilAsserted(() -> assertThat(y).isLost());
    }

    @Test
    void keepsLocksAndSessionsOverARestart() throws Exception {
        ZooKeeperLockRegistry registry = registry(LONG);
        LockHandle x = registry.lock("/x").acquire(LONG);
        String before = zooKeeper.connectString();

        zooKeeper.restart();

        assertThat(zooKeeper.connectString()).isEqualTo(before);
        assertThat(registry(LONG).lock("/x").tryAcquire()).isEmpty();
        registry.lock("/y").acquire(LONG).close();
        assertThat(x).isHeld();
    }

    @Test
    void rejectsTheExpiryOfAnUnknownSession() {
        InMemoryLockRegistry stranger = new InMemoryLockRegistry();

        assertThatIllegalStateException()
                .isThrownBy(() -> zooKeeper.expireSession(stranger))
                .withMessageStartingWith("Session 0x10000001 of InMemoryLockRegistry[process-1] is not one of"
                        + " EmbeddedZooKeeper[127.0.0.1:")
                .withMessageEndingWith("it has expired already, or belongs to another server");
        stranger.suspend();
        stranger.loseSession();
        assertThatIllegalStateException()
                .isThrownBy(() -> zooKeeper.expireSession(stranger))
                .withMessageEndingWith(
                        "has no session that could expire; acquire a lock before, or wait for its" + " connection");
        stranger.close();
    }

    @Test
    void freesItsPortOnClose() throws IOException {
        EmbeddedZooKeeper other = new EmbeddedZooKeeper();
        assertThat(other.connectString()).isNotEqualTo(zooKeeper.connectString());
        int port = Integer.parseInt(other.connectString().replaceAll(".*:", ""));

        other.close();
        other.close();

        try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).isTrue();
        }
        assertThatIllegalStateException()
                .isThrownBy(other::restart)
                .withMessageEndingWith("is closed; create a new one");
    }

    private ZooKeeperLockRegistry registry(Duration sessionTimeout) {
        return added(ZooKeeperLockRegistry.builder()
                .connectString(zooKeeper.connectString())
                .sessionTimeout(sessionTimeout)
                .build());
    }

    private ZooKeeperLockRegistry added(ZooKeeperLockRegistry registry) {
        registries.add(registry);
        return registry;
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(5));
    }
}
