package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class ScenarioResultTest {

    private static final Method SCENARIO = Scenarios.all().get(0);

    @Test
    void firstFindingSkipsInconclusiveCounts() {
        assertThat(ScenarioResults.failed(SCENARIO, "Inconclusive: 3 grants\nK1: two holders\nK2: a token twice")
                        .firstFinding())
                .hasValue("K1: two holders");
    }

    @Test
    void inconclusiveRunHasNoFirstFinding() {
        assertThat(ScenarioResults.failed(SCENARIO, "Inconclusive: 3 grants").firstFinding())
                .isEmpty();
    }

    @Test
    void brokenRunHasNoFirstFinding() {
        assertThat(ScenarioResults.broken(SCENARIO, new IllegalStateException("no server"))
                        .firstFinding())
                .isEmpty();
    }

    @Test
    void passedAndSkippedRunsHaveNoFirstFinding() {
        assertThat(ScenarioResults.passed(SCENARIO).firstFinding()).isEmpty();
        assertThat(ScenarioResults.skipped(SCENARIO).firstFinding()).isEmpty();
    }
}
