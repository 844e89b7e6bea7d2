package io.github.zklock.zookeeper.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.zklock.OncePer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Processes that begin the same jobs at random instants, on connections that break and sessions that end. Whatever
 * happens, no run begins within the window of a run that counts, except one that is tolerated, no call is skipped without
 * such a run, and each lock is released. {@code -Dzklock.jobs.schedules=N -Dzklock.jobs.seed=N} plays more schedules, or others.
 */
class JobModelTest {

    private static final int SCHEDULES = Integer.getInteger("zklock.jobs.schedules", 3_000);
    private static final long SEED = Long.getLong("zklock.jobs.seed", 1);
    private static final int REPEATED = 100;
    private static final Duration HOUR = Duration.ofHours(1);

    /** Warns of each success that was not recorded because of a fault. */
    private static final Logger JOB_LOG = (Logger) LoggerFactory.getLogger(Job.class);

    @BeforeAll
    static void silence() {
        JOB_LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void endSilence() {
        JOB_LOG.setLevel(null);
    }

    @Test
    void runsThatCountFromTheirBeginAreAtLeastOneWindowApart() {
        JobModel.Totals totals = play(OncePer.of(HOUR));

        assertThat(totals.notDue).isGreaterThan(SCHEDULES);
    }

    @Test
    void fastTimersGainNothingByALongTolerance() {
        JobModel.Totals totals = play(OncePer.of(HOUR).tolerating(HOUR.dividedBy(4)));

        assertThat(totals.fast).isGreaterThan(SCHEDULES / 20);
    }

    @Test
    void noRunBeginsInTheWindowOfASuccess() {
        JobModel.Totals totals = play(OncePer.of(HOUR).counting(OncePer.Counting.SUCCEEDED));

        assertThat(totals.successes).isGreaterThan(SCHEDULES / 4);
    }

    @Test
    void aScheduleCanBeRepeated() {
        OncePer window = OncePer.of(HOUR);
        for (long seed = SEED; seed < SEED + REPEATED; seed++) {
            JobModel.Totals first = new JobModel.Totals();
            JobModel.Totals second = new JobModel.Totals();
            new JobModel(seed, window, first).play();
            new JobModel(seed, window, second).play();

            assertThat(second).as("seed %s", seed).hasToString(first.toString());
        }
    }

    private static JobModel.Totals play(OncePer window) {
        JobModel.Totals totals = new JobModel.Totals();
        for (long seed = SEED; seed < SEED + SCHEDULES; seed++) {
            assertThat(new JobModel(seed, window, totals).play())
                    .as("seed %s", seed)
                    .isEmpty();
        }
        System.out.println(SCHEDULES + " schedules, " + window + ": " + totals);
        // each fault and each way out has been played
        assertThat(totals.begun).isGreaterThan(SCHEDULES);
        assertThat(totals.abandoned).isGreaterThan(SCHEDULES / 10);
        assertThat(totals.cancelled).isGreaterThan(SCHEDULES / 10);
        assertThat(totals.unknownWrites).isGreaterThan(SCHEDULES / 10);
        assertThat(totals.lostRuns).isGreaterThan(SCHEDULES / 20);
        assertThat(totals.deleted).isGreaterThan(SCHEDULES / 40);
        return totals;
    }
}
