package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalEnsemble;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers on which a new session is local: known to one server only. The first ephemeral node makes it known to the leader
 * (QuorumZooKeeperServer.checkUpgradeSession), unless the servers do not permit that.
 */
@Tag("variant")
class LocalSessionsTest {

    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final String NAME = "/local";
    /** So many requests that some of them leave in one transaction. */
    private static final int MANY = 20;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void leaveNothing() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Leftovers.assertNoThreads();
    }

    @Test
    void lockIsProvenForLongerThanASessionTimeoutAndSurvivesItsServer() throws Exception {
        LocalEnsemble ensemble = ensemble(true);
        int own = follower(ensemble);
        ZooKeeperLockRegistry holder = open(ensemble.connectString(own) + "," + ensemble.connectString());
        ZooKeeperLockRegistry other = open(ensemble.connectString(ensemble.awaitLeader()));
        LockHandle handle = holder.lock(NAME).acquire();
        long renewals = holder.inspector().session().renewals();

        // eight of them take a session timeout
        awaitUntil(() -> {
            assertThat(handle.state().isFinal()).isFalse();
            return holder.inspector().session().renewals() >= renewals + 12;
        });
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
        ensemble.stop(own);
        awaitUntil(() -> holder.inspector().session().connected() && handle.isHeld());

        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
        RealServer.giveBack(handle);
        RealServer.giveBack(other.lock(NAME).acquire());
    }

    @Test
    void manyFirstRequestsMakeTheSessionGlobal() throws Exception {
        LocalEnsemble ensemble = ensemble(true);
        ZooKeeperLockRegistry registry = open(ensemble.connectString(follower(ensemble)));

        for (CompletableFuture<LockHandle> request : requests(registry)) {
            RealServer.giveBack(Actor.join(request));
        }
    }

    @Test
    void sessionThatIsStillLocalIsReplacedWhenItsServerStops() throws Exception {
        LocalEnsemble ensemble = ensemble(true);
        int own = follower(ensemble);
        ZooKeeperLockRegistry registry = open(ensemble.connectString(own) + "," + ensemble.connectString());
        awaitUntil(() -> registry.inspector().session().connected());

        ensemble.stop(own);

        RealServer.giveBack(registry.lock(NAME).acquire());
    }

    @Test
    void withoutUpgradesLocksAreRefusedWithTheRemedy() throws Exception {
        LocalEnsemble ensemble = ensemble(false);
        for (int server = 0; server < LocalEnsemble.SIZE; server++) {
            ZooKeeperLockRegistry registry = open(ensemble.connectString(server));

            for (CompletableFuture<LockHandle> request : requests(registry)) {
                assertThat(request)
                        .failsWithin(Duration.ofMinutes(1))
                        .withThrowableThat()
                        .withCauseInstanceOf(LockUnavailableException.class)
                        .withMessageContaining("localSessionsUpgradingEnabled=true on all servers");
            }
        }
    }

    private static List<CompletableFuture<LockHandle>> requests(ZooKeeperLockRegistry registry) {
        List<CompletableFuture<LockHandle>> requests = new ArrayList<>();
        IntStream.range(0, MANY)
                .forEach(number -> requests.add(registry.lock(NAME + number).acquireAsync()));
        return requests;
    }

    private LocalEnsemble ensemble(boolean upgrading) {
        LocalEnsemble ensemble = new LocalEnsemble(peer -> {
            peer.enableLocalSessions(true);
            peer.enableLocalSessionsUpgrading(upgrading);
        });
        opened.push(ensemble);
        return ensemble;
    }

    private static int follower(LocalEnsemble ensemble) {
        return (ensemble.awaitLeader() + 1) % LocalEnsemble.SIZE;
    }

    private ZooKeeperLockRegistry open(String servers) {
        ZooKeeperLockRegistry registry = RealServer.builder()
                .connectString(servers)
                .sessionTimeout(SESSION)
                .build();
        opened.push(registry);
        return registry;
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }
}
