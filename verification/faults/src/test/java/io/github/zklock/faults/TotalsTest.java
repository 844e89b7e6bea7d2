package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class TotalsTest {

    private static final Method SCENARIO = Scenarios.all().get(0);

    private final Totals totals = new Totals();

    @Test
    void noRunIsNoSuccess() {
        assertThat(totals.exitCode()).isEqualTo(1);
    }

    @Test
    void onlySkippedRunsAreNoSuccess() {
        totals.add(ScenarioResults.skipped(SCENARIO));

        assertThat(totals.exitCode()).isEqualTo(1);
        assertThat(totals).asString().endsWith("0 passed, 0 failed, 1 skipped");
    }

    @Test
    void oneFailureIsAFailureOfAll() {
        totals.add(ScenarioResults.passed(SCENARIO));
        assertThat(totals.exitCode()).isZero();

        totals.add(ScenarioResults.broken(SCENARIO, new IllegalStateException("no server")));

        assertThat(totals.exitCode()).isEqualTo(1);
        assertThat(totals).asString().endsWith("1 passed, 1 failed, 0 skipped");
    }
}
