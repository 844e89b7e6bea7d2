package io.github.zklock.faults.stage;

import io.github.zklock.faults.check.Count;
import io.github.zklock.faults.check.Floors;
import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.check.Violation;
import io.github.zklock.faults.record.ServerRecords;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Ensemble;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Judges what happened on a stage, and keeps it for people to read. */
public final class Jury {

    private final FaultScenario scenario;
    private final Variant variant;
    private final Keepsake keepsake;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline;
    private List<Violation> violations = List.of();

    /** @param basePath of all locks of the stage */
    Jury(
            FaultScenario scenario,
            Variant variant,
            Keepsake keepsake,
            String basePath,
            Ensemble ensemble,
            Timeline timeline) {
        this.scenario = scenario;
        this.variant = variant;
        this.keepsake = keepsake;
        this.basePath = basePath;
        this.ensemble = ensemble;
        this.timeline = timeline;
    }

    /** Applies all rules to what happened, once it has come to its end. */
    public Verdict judge() {
        record();
        Verdict verdict = new Verdict(floors(), timeline);
        violations = verdict.violations();
        return verdict;
    }

    /** Applies to what has broken off the rules that hold at any time. */
    public Verdict judgePart(Throwable failure) {
        Violation end = new Violation(System.nanoTime(), "It broke off: " + failure.getMessage());
        violations = List.of(end);
        record();
        Verdict verdict = Verdict.ofPart(timeline);
        violations =
                Stream.concat(verdict.violations().stream(), Stream.of(end)).toList();
        return verdict;
    }

    /** Keeps what happened, for people to read. */
    public void keep() {
        keepsake.write(timeline, violations, ensemble.servers());
    }

    /** The same of what has broken off. */
    public void keep(Throwable failure) {
        keep();
        keepsake.write(failure);
    }

    /** Forgets what happened. */
    public void discard() {
        keepsake.discard();
    }

    /** Adds to the timeline what the servers say of it. */
    private void record() {
        ServerRecords.add(ensemble, basePath, timeline);
    }

    private Floors floors() {
        return new Floors(Map.of(
                Count.GRANTS, scenario.grants(),
                Count.HAND_OVERS, scenario.handOvers(),
                Count.TOGETHER, scenario.together(),
                Count.LOSSES, scenario.losses(),
                Count.REFUSED, variant.kind() == Variant.Kind.SEMAPHORE ? 0 : scenario.refused(),
                Count.FAULTS, scenario.faults()));
    }
}
