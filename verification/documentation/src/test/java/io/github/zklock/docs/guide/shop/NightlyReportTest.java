package io.github.zklock.docs.guide.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import io.github.zklock.test.autoconfigure.LeftoverLocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The scheduled jobs that the documents show. The nightly one keeps its lock for a minute. */
@SpringBootTest
@AutoConfigureZkLock(leftovers = LeftoverLocks.TAKE_AWAY)
class NightlyReportTest {

    @Autowired
    NightlyReport report;

    @Autowired
    InMemoryLockCluster cluster;

    @Test
    void aJobIsSkippedWhereAnotherInstanceRunsIt() throws Exception {
        try (LockHandle nightly = cluster.join().lock("/nightly").acquire();
                LockHandle hourly = cluster.join().lock("/hourly").acquire()) {
            report.nightly();
            report.hourly();
        }
        assertThat(report.runs()).isZero();

        report.hourly();
        report.nightly();
        report.nightly(); // a lock alone does not record the run

        assertThat(report.runs()).isEqualTo(3);
    }

    // snippet:window
    @Test
    void booksAreClosedOncePerHour() {
        report.closing();
        report.closing();
        assertThat(report.closings()).isOne();

        cluster.advanceClock(Duration.ofHours(1));
        report.closing();
        assertThat(report.closings()).isEqualTo(2);
    }
    // end:window
}
