package io.github.zklock.faults.context;

import io.github.zklock.faults.check.Count;
import io.github.zklock.faults.check.Minimums;
import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.check.Violation;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.timeline.SeatEventReader;
import io.github.zklock.faults.timeline.Timeline;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Judges what happened on a stage, and keeps it for people to read. */
public final class Evaluation {

    private final FaultScenario scenario;
    private final Variant variant;
    private final RunFolder runFolder;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline;
    private List<Violation> violations = List.of();

    /** @param basePath of all locks of the stage */
    Evaluation(
            FaultScenario scenario,
            Variant variant,
            RunFolder runFolder,
            String basePath,
            Ensemble ensemble,
            Timeline timeline) {
        this.scenario = scenario;
        this.variant = variant;
        this.runFolder = runFolder;
        this.basePath = basePath;
        this.ensemble = ensemble;
        this.timeline = timeline;
    }

    /** Applies all rules to what happened, once it has come to its end. */
    public Verdict evaluate() {
        record();
        Verdict verdict = new Verdict(floors(), timeline);
        violations = verdict.violations();
        return verdict;
    }

    /** Applies to what has broken off the rules that hold at any time. */
    public Verdict evaluatePart(Throwable failure) {
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
        runFolder.write(timeline, violations, ensemble.servers());
    }

    /** The same of what has broken off. */
    public void keep(Throwable failure) {
        keep();
        runFolder.write(failure);
    }

    /** Forgets what happened. */
    public void discard() {
        runFolder.discard();
    }

    /** Adds to the timeline what the servers say of it. */
    private void record() {
        SeatEventReader.add(ensemble, basePath, timeline);
    }

    private Minimums floors() {
        return new Minimums(Map.of(
                Count.GRANTS, scenario.grants(),
                Count.HAND_OVERS, scenario.handOvers(),
                Count.TOGETHER, scenario.together(),
                Count.LOSSES, scenario.losses(),
                Count.REFUSED, variant.kind() == Variant.Kind.SEMAPHORE ? 0 : scenario.refused(),
                Count.FAULTS, scenario.faults()));
    }
}
