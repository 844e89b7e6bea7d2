package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerComparisonTest {

    private static final RunOptions ALL = RunOptions.parse(List.of("peers"));
    private static final RunOptions DEADLINES = RunOptions.parse(List.of("peers", "--scenario", "S19"));
    private static final String TOO_LATE =
            "K9: first's call of acquire-1000 exclusive was answered with TIMEOUT after 9000 ms";

    @Test
    void knownFailureIsMissingUntilItIsSeen() {
        assertThat(PeerComparison.missed(DEADLINES, List.of(ScenarioResults.passed(scenario("S19")))))
                .hasSize(1);
        assertThat(PeerComparison.missed(
                        DEADLINES, List.of(ScenarioResults.failed(scenario("S19"), "K7: never granted"))))
                .hasSize(1);

        assertThat(PeerComparison.missed(DEADLINES, List.of(ScenarioResults.failed(scenario("S19"), TOO_LATE))))
                .isEmpty();
    }

    @Test
    void knownFailureIsSeenInItsOwnScenarioOnly() {
        assertThat(PeerComparison.missed(
                        DEADLINES,
                        List.of(
                                ScenarioResults.failed(scenario("S7"), TOO_LATE),
                                ScenarioResults.passed(scenario("S19")))))
                .hasSize(1);
    }

    @Test
    void knownFailuresOfOtherScenariosAreNotMissing() {
        assertThat(PeerComparison.missed(DEADLINES, List.of(ScenarioResults.failed(scenario("S5"), "K5: no seat"))))
                .isEmpty();
        assertThat(PeerComparison.missed(ALL, List.of())).hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void inconclusiveOrBrokenRunIsNoResult() {
        assertThat(PeerComparison.result(ScenarioResults.failed(scenario("S19"), "Inconclusive: 0 grants")))
                .startsWith("no result: ");
        assertThat(PeerComparison.result(
                        ScenarioResults.broken(scenario("S19"), new IllegalStateException("no server"))))
                .startsWith("no result: ");
        assertThat(PeerComparison.result(ScenarioResults.failed(scenario("S19"), TOO_LATE)))
                .isEqualTo("flagged: " + TOO_LATE);
        assertThat(PeerComparison.result(ScenarioResults.passed(scenario("S19"))))
                .isEqualTo("passed");
    }

    private static Method scenario(String id) {
        return Scenarios.all().stream()
                .filter(scenario -> Scenarios.id(scenario).equals(id))
                .findFirst()
                .orElseThrow();
    }
}
