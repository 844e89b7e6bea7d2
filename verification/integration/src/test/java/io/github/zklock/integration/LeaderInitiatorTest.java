package io.github.zklock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Leadership, as Spring Integration makes it of a registry of locks. */
class LeaderInitiatorTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry first = cluster.join();
    private final LockRegistryLeaderInitiator leader = candidateOn(first, "first");
    private final LockRegistryLeaderInitiator deputy = candidateOn(cluster.join(), "second");

    @AfterEach
    void stop() {
        deputy.stop();
        leader.stop();
        cluster.close();
    }

    @Test
    void oneOfTwoLeadsAndTheOtherTakesOverWhenItStops() {
        leader.start();
        await().atMost(LONG).until(() -> leader.getContext().isLeader());
        deputy.start();
        await().atMost(LONG)
                .until(() ->
                        !cluster.join().lock("/integration/string/leadership").tryLock());
        assertThat(deputy.getContext().isLeader()).isFalse();

        leader.stop();

        await().atMost(LONG).until(() -> deputy.getContext().isLeader());
    }

    @Test
    void aLeaderWhoLosesItsSessionIsRevoked() {
        Recording candidate = new Recording();
        LockRegistryLeaderInitiator unlucky = initiator(first, candidate);
        unlucky.start();
        await().atMost(LONG).until(() -> candidate.granted == 1);

        deputy.start();
        first.loseSession();

        await().atMost(LONG).until(() -> candidate.revoked == 1);
        await().atMost(LONG).until(() -> deputy.getContext().isLeader() || candidate.granted == 2);
        unlucky.stop();
    }

    private static LockRegistryLeaderInitiator candidateOn(InMemoryLockRegistry process, String id) {
        return initiator(process, new DefaultCandidate(id, "leadership"));
    }

    private static LockRegistryLeaderInitiator initiator(InMemoryLockRegistry process, DefaultCandidate candidate) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(new ZkLockIntegrationRegistry(process, "/integration"), candidate);
        initiator.setHeartBeatMillis(20);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    private static final class Recording extends DefaultCandidate {

        private volatile int granted;
        private volatile int revoked;

        Recording() {
            super("unlucky", "leadership");
        }

        // called by one thread
        @SuppressWarnings("NonAtomicVolatileUpdate")
        @Override
        public void onGranted(org.springframework.integration.leader.Context context) {
            granted++;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate")
        @Override
        public void onRevoked(org.springframework.integration.leader.Context context) {
            revoked++;
        }
    }
}
