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

/** Applies the checkers to the timeline of a scenario run, and keeps or deletes its records. */
public final class Evaluation {

    private final FaultScenario scenario;
    private final Variant variant;
    private final RunFolder runFolder;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline;
    private List<Violation> violations = List.of();

    /** @param basePath the base path of all locks of the run */
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

    /** Applies all rules to a completed run. */
    public Verdict evaluate() {
        record();
        Verdict verdict = new Verdict(minimums(), timeline);
        violations = verdict.violations();
        return verdict;
    }

    /** Applies the rules that also hold on an incomplete timeline to a run that broke off. */
    public Verdict evaluatePart(Throwable failure) {
        Violation end = new Violation(System.nanoTime(), "The run broke off: " + failure.getMessage());
        violations = List.of(end);
        record();
        Verdict verdict = Verdict.ofPart(timeline);
        violations =
                Stream.concat(verdict.violations().stream(), Stream.of(end)).toList();
        return verdict;
    }

    /** Keeps the records of the run. */
    public void keep() {
        runFolder.write(timeline, violations, ensemble.servers());
    }

    /** Keeps the records of a run that broke off. */
    public void keep(Throwable failure) {
        keep();
        runFolder.write(failure);
    }

    /** Deletes the records of the run. */
    public void discard() {
        runFolder.discard();
    }

    /** Adds the events of the servers' transaction logs to the timeline. */
    private void record() {
        SeatEventReader.add(ensemble, basePath, timeline);
    }

    private Minimums minimums() {
        return new Minimums(Map.of(
                Count.GRANTS, scenario.grants(),
                Count.HAND_OVERS, scenario.handOvers(),
                Count.TOGETHER, scenario.together(),
                Count.LOSSES, scenario.losses(),
                Count.REFUSED, variant.kind() == Variant.Kind.SEMAPHORE ? 0 : scenario.refused(),
                Count.FAULTS, scenario.faults()));
    }
}
