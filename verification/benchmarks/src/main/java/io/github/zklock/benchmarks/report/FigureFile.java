package io.github.zklock.benchmarks.report;

import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every figure of every round, as a file with a line for each round: workload, entry and figures, divided by tabs. */
public final class FigureFile {

    private final Path file;

    public FigureFile(Path file) {
        this.file = file;
    }

    public void write(Collection<Outcome> outcomes) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            for (Entry entry : outcome.workload().entries()) {
                for (Figures round : outcome.of(entry.label())) {
                    lines.add(outcome.workload().id() + "\t" + entry.label() + "\t" + round);
                }
            }
        }
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** Returns what the file has of these workloads; nothing if there is no file. */
    public List<Outcome> read(List<Workload> workloads) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        workloads.forEach(workload -> outcomes.put(workload.id(), new Outcome(workload)));
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split("\t", -1);
            if (parts.length != 3) {
                throw new IOException("'" + line + "' in " + file + " is no line of figures; delete the file");
            }
            Outcome outcome = outcomes.get(parts[0]);
            if (outcome != null) {
                outcome.add(parts[1], Figures.parse(parts[2]));
            }
        }
        return outcomes.values().stream().filter(Outcome::isMeasured).toList();
    }
}
