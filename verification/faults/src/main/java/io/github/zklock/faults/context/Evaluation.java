package io.github.zklock.faults.context;

import io.github.zklock.faults.check.Count;
import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.SeatEventReader;
import io.github.zklock.faults.timeline.Timeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Applies the checkers to the timeline of a scenario run, and keeps or deletes its folder with the events and the logs of
 * all processes.
 *
 * @param basePath the base path of all locks of the run
 */
public record Evaluation(
        FaultScenario scenario, Variant variant, Path folder, String basePath, Ensemble ensemble, Timeline timeline) {

    /** Applies all rules to a completed run. */
    public Verdict evaluate() {
        SeatEventReader.add(ensemble, basePath, timeline);
        return new Verdict(minimums(), timeline);
    }

    /** Applies the rules that also hold on an incomplete timeline to a run that broke off. */
    public Verdict evaluatePart() {
        SeatEventReader.add(ensemble, basePath, timeline);
        return Verdict.ofPart(timeline);
    }

    public void keep() {
        try {
            timeline.write(folder.resolve("events.log"));
            for (ServerProcess server : ensemble.servers()) {
                Files.copy(server.log(), folder.resolve(server.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps the records of a run that broke off. */
    public void keep(Throwable failure) {
        keep();
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        try {
            Files.writeString(folder.resolve("failure.txt"), trace.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void discard() {
        Ensemble.deleteRecursively(folder);
    }

    private Map<Count, Integer> minimums() {
        return Map.of(
                Count.GRANTS, scenario.grants(),
                Count.HAND_OVERS, scenario.handOvers(),
                Count.TOGETHER, scenario.together(),
                Count.LOSSES, scenario.losses(),
                Count.REFUSED, variant.kind() == Variant.Kind.SEMAPHORE ? 0 : scenario.refused(),
                Count.FAULTS, scenario.faults());
    }
}
