package com.example.ordershop.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.ShopTest;
import io.github.zklock.LockHandle;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.LockRecording;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

@ShopTest
class DayClosingJobTest {

    /** As {@code ShopTest} sets it. */
    private static final Duration INTERVAL = Duration.ofDays(1);

    @Autowired
    DayClosingJob job;

    @Autowired
    JobRunRepository runs;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    InMemoryLockCluster cluster;

    @Autowired
    LockRecording recording;

    @BeforeEach
    void forgetEarlierRuns() {
        jdbc.sql("delete from job_run").update();
        cluster.advanceClock(INTERVAL);
    }

    @Test
    void runIsRecordedWithTheInstanceItWasOn() {
        job.run();

        assertThat(runs.latest())
                .singleElement()
                .extracting(JobRunRepository.JobRun::instance)
                .isEqualTo("shop-1");
        assertThat(recording.taken()).containsExactly("/jobs/closing", "/report");
    }

    @Test
    void runIsSkippedWhileAnotherInstanceDoesTheWork() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/jobs/closing").acquire()) {
            job.run();
        }

        assertThat(runs.latest()).isEmpty();
    }

    @Test
    void runIsSkippedIfThereWasOneInTheInterval() {
        job.run();
        job.run();

        assertThat(runs.latest()).hasSize(1);
    }

    @Test
    void onlyTheLatestRunsAreKept() {
        for (int run = 0; run < 25; run++) {
            job.run();
            cluster.advanceClock(INTERVAL);
        }

        assertThat(runs.latest()).hasSize(20);
        assertThat(jdbc.sql("select count(*) from job_run").query(Integer.class).single())
                .isEqualTo(20);
    }
}
