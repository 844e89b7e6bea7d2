package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.PlantedBugs.Bug;
import io.github.zklock.zookeeper.internal.engine.PlantedEngine;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlantedBugsTest {

    /**
     * Bugs without a scenario, and bugs that need a monotonic clock that stands still: pausing a process does not stop
     * the clock of its JVM.
     */
    private static final Set<String> OF_THE_SIMULATION_ALONE = Set.of(
            "ended-session-taken-for-alive",
            "held-locks-given-away-by-a-close",
            "seats-beyond-what-a-session-may-have",
            "seat-created-anew-before-the-deletion-is-answered",
            "lost-seats-behind-those-of-newcomers",
            "seat-that-has-gone-counted-for-ever",
            "session-closed-before-the-last-holder",
            "suspended-machine-not-noticed",
            "try-refused-by-a-seat-that-only-lingers",
            "lingering-seat-not-marked",
            "touches-trusted-while-a-bucket-is-closed",
            "connection-taken-for-made-when-it-is-noticed",
            "suspect-session-proven-by-any-write",
            "timeout-read-once",
            "no-margin",
            "long-suspensions-not-noticed",
            "another-session-taken-for-the-same",
            "sync-taken-for-a-commit",
            "list-counts-although-the-check-before-it-does-not",
            "more-turns-than-a-transaction-has-tokens",
            "seats-of-one-transaction-with-one-token",
            "place-forgotten-with-the-answer",
            "granted-although-the-lock-before-was-not",
            "reconnection-not-noticed-without-a-loss",
            "deletion-of-a-seat-not-told-by-a-live-view",
            "failure-of-a-transaction-taken-for-that-of-each-write",
            "listing-behind-a-transaction-that-failed-counts",
            "listing-sent-before-the-create",
            "live-by-a-listing-before-the-watch",
            // ZooKeeper's client sets the watches again as well
            "not-listed-again-after-a-reconnect",
            "live-view-kept-over-a-lost-connection",
            "nobody-watched-after-a-live-view",
            "seat-that-becomes-a-readers-taken-for-deleted",
            "watch-of-a-folder-asked-for-again-after-its-end",
            "writers-deletion-believed-before-the-view-is-live",
            "writers-node-deleted-before-the-readers-is-created");

    @Test
    void eachBugOfTheSimulationIsPlantedExceptThoseNamedHere() {
        List<String> bugs = new ArrayList<>(PlantedEngine.names());
        assertThat(bugs).containsAll(OF_THE_SIMULATION_ALONE);
        bugs.removeAll(OF_THE_SIMULATION_ALONE);

        assertThat(PlantedBugs.ALL).extracting(Bug::name).containsExactlyInAnyOrderElementsOf(bugs);
    }

    @Test
    void eachBugHasScenarios() {
        assertThat(PlantedBugs.ALL)
                .allSatisfy(bug -> assertThat(PlantedBugs.scenarios(bug)).isNotEmpty());
    }

    @Test
    void evidenceMatchesTheExpectedPattern() {
        Bug bug = PlantedBugs.ALL.get(0);
        Method scenario = PlantedBugs.scenarios(bug).get(0);

        assertThat(bug.evidence(ScenarioResults.failed(scenario, "K9: too late\nK5: a grant on no seat")))
                .hasValue("K5: a grant on no seat");
        assertThat(bug.evidence(ScenarioResults.failed(scenario, "K9: too late")))
                .isEmpty();
        assertThat(bug.evidence(ScenarioResults.failed(scenario, "Inconclusive: 0 grants of K5")))
                .isEmpty();
        assertThat(bug.evidence(ScenarioResults.broken(scenario, new IllegalStateException("K5"))))
                .isEmpty();
    }

    @Test
    void scenariosOfEachBugExist() {
        List<String> known = new ArrayList<>();
        Scenarios.all().forEach(scenario -> known.addAll(List.of(scenario.getName(), Scenarios.id(scenario))));

        assertThat(PlantedBugs.ALL).allSatisfy(bug -> assertThat(known).containsAll(bug.scenarios()));
    }
}
