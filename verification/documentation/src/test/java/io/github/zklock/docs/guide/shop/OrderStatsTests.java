package io.github.zklock.docs.guide.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// snippet:tests
@SpringBootTest(properties = "zk.lock.wait-time=0")
@AutoConfigureZkLock
class OrderStatsTests {
    // end:tests

    private static final LocalDate TODAY = LocalDate.of(2026, 11, 22);
    // snippet:tests

    @Autowired
    OrderStats stats;

    @Autowired
    LockRecording recording;

    @Autowired
    InMemoryLockCluster cluster;

    @Test
    void recomputesUnderItsLock() {
        stats.recompute(TODAY, null); // @DistributedLock("/order-stats")

        assertThat(recording.taken()).containsExactly("/order-stats");
    }

    @Test
    void doesNotRunDuringAnOutage() {
        cluster.outage(); // healed after the test

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> stats.recompute(TODAY, null));
    }

    @Test
    void doesNotRunWhileAnotherInstanceDoes() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/order-stats").acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> stats.recompute(TODAY, null));
        }
    }
}
// end:tests
