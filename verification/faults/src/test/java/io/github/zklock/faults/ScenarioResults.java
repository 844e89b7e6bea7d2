package io.github.zklock.faults;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Timeline;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Results for tests. */
final class ScenarioResults {

    private static final Variant VARIANT = new Variant(
            Timeline.OURS, Policy.BOUNDED, Kind.EXCLUSIVE, Surface.REGISTRY, Jdk.own(), ServerRelease.own(), List.of());
    private static final Path NOWHERE = Path.of("nowhere");

    private ScenarioResults() {}

    static ScenarioResult passed(Method scenario) {
        return new ScenarioResult(run(scenario), ScenarioResult.Outcome.PASSED, Optional.empty(), "", NOWHERE, 1);
    }

    static ScenarioResult failed(Method scenario, String findings) {
        return ScenarioResult.failed(run(scenario), new AssertionError(findings), Optional.empty(), NOWHERE, 0);
    }

    static ScenarioResult broken(Method scenario, Throwable failure) {
        return ScenarioResult.failed(run(scenario), failure, Optional.empty(), NOWHERE, 0);
    }

    static ScenarioResult skipped(Method scenario) {
        return new ScenarioResult(
                run(scenario), ScenarioResult.Outcome.SKIPPED, Optional.empty(), "no such clock", NOWHERE, 1);
    }

    private static ScenarioRun run(Method scenario) {
        return new ScenarioRun(scenario, VARIANT, 1);
    }
}
