package io.github.zklock.faults;

import io.github.zklock.faults.PlantedBugs.Bug;
import io.github.zklock.faults.ScenarioResult.Outcome;
import io.github.zklock.faults.context.Variant;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that the scenarios detect each planted bug. A bug is detected if a scenario fails with the expected finding,
 * and passes without the bug.
 */
final class PlantedBugCheck {

    private final PlantedBugs bugs;
    private final Plan plan;
    private final ScenarioRunner runner;
    private final PrintStream out;
    private final Map<String, ScenarioResult> withoutBug = new HashMap<>();

    private int checked;
    private int found;

    PlantedBugCheck(PlantedBugs bugs, Plan plan, ScenarioRunner runner, PrintStream out) {
        this.bugs = bugs;
        this.plan = plan;
        this.runner = runner;
        this.out = out;
    }

    void checkAll() {
        for (Bug bug : PlantedBugs.ALL) {
            if (plan.options().includes(bug.name())) {
                checked++;
                if (isFound(bug)) {
                    found++;
                } else {
                    out.printf("MISSED %s: %s did not find it%n", bug.name(), bug.scenarios());
                }
            }
        }
    }

    int checked() {
        return checked;
    }

    int found() {
        return found;
    }

    private boolean isFound(Bug bug) {
        Plan planted = plan.with(bugs.build(bug.name()));
        for (Method scenario : PlantedBugs.scenarios(bug)) {
            ScenarioResult result = runner.execute(planted.usual(scenario, bug.kind()));
            Optional<String> evidence = bug.evidence(result);
            if (result.outcome() == Outcome.PASSED) {
                continue;
            }
            if (evidence.isEmpty()) {
                out.printf("failed for another reason: %s: %s%n", scenario.getName(), result.findings());
            } else if (passesWithoutBug(scenario, bug.kind())) {
                out.printf(
                        "found  %s: %s %s: %s%n",
                        bug.name(), Scenarios.id(scenario), scenario.getName(), evidence.get());
                return true;
            }
        }
        return false;
    }

    private boolean passesWithoutBug(Method scenario, Variant.Kind kind) {
        ScenarioResult result = withoutBug.computeIfAbsent(
                kind + scenario.getName(), key -> runner.execute(plan.usual(scenario, kind)));
        if (result.outcome() != Outcome.PASSED) {
            out.printf("fails without the bug, too: %s: %s%n", scenario.getName(), result.findings());
        }
        return result.outcome() == Outcome.PASSED;
    }
}
