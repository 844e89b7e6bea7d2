package io.github.zklock.zookeeper.internal.leader;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Candidates for one leadership in random schedules. Whatever happens, at most one of them is the leader, a task never runs
 * twice at the same time, no lock is released while a task of its term runs, each listener receives the end of each term
 * before the next one, and the last candidate becomes the leader. {@code -Dzklock.leaders.schedules=N
 * -Dzklock.leaders.seed=N} plays more schedules, or others. The threads differ from run to run.
 */
class CandidateModelTest {

    private static final int SCHEDULES = Integer.getInteger("zklock.leaders.schedules", 300);
    private static final long SEED = Long.getLong("zklock.leaders.seed", 1);

    /** Reports each failure that the model plants. */
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(Candidate.class);

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void endSilence() {
        LOG.setLevel(null);
    }

    @Test
    void candidatesLeadOneAfterTheOther() throws InterruptedException {
        CandidateModel.Totals totals = new CandidateModel.Totals();
        for (long seed = SEED; seed < SEED + SCHEDULES; seed++) {
            assertThat(new CandidateModel(seed, totals).play())
                    .as("seed %s", seed)
                    .isEmpty();
        }
        System.out.println(SCHEDULES + " schedules: " + totals);
        // each fault and each way out has been played
        assertThat(totals.terms.get()).isGreaterThan(SCHEDULES);
        assertThat(totals.losses.get()).isGreaterThan(SCHEDULES / 2);
        assertThat(totals.unreportedLosses.get()).isGreaterThan(SCHEDULES / 40);
        assertThat(totals.renewals.get()).isGreaterThan(SCHEDULES / 40);
        assertThat(totals.runs.get()).isGreaterThan(SCHEDULES);
        assertThat(totals.failures.get()).isGreaterThan(SCHEDULES / 40);
        assertThat(totals.replaced.get()).isGreaterThan(SCHEDULES / 40);
    }
}
