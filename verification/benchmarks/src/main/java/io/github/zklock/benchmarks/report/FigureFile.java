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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every figure of every round, as a file of comma-separated values. */
public final class FigureFile {

    private static final String HEADER = "workload,who,round,figure,value";
    private static final Pattern LINE = Pattern.compile("([^,]+),\"([^\"]+)\",(\\d+),([^,]+),([^,]+)");

    private final Path file;

    public FigureFile(Path file) {
        this.file = file;
    }

    public void write(Collection<Outcome> outcomes) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (Outcome outcome : outcomes) {
            for (Entry entry : outcome.workload().entries()) {
                List<Figures> rounds = outcome.of(entry.label());
                for (int round = 0; round < rounds.size(); round++) {
                    String start = "%s,\"%s\",%d,".formatted(outcome.workload().id(), entry.label(), round + 1);
                    new TreeMap<>(rounds.get(round).values())
                            .forEach((figure, value) -> lines.add(start + figure + "," + value));
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
        // by workload, entry and round
        Map<String, Map<String, Map<Integer, Map<String, Double>>>> values = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IOException("'" + line + "' in " + file + " is no line of figures; delete the file");
            }
            values.computeIfAbsent(parts.group(1), workload -> new LinkedHashMap<>())
                    .computeIfAbsent(parts.group(2), entry -> new TreeMap<>())
                    .computeIfAbsent(Integer.valueOf(parts.group(3)), round -> new TreeMap<>())
                    .put(parts.group(4), Double.valueOf(parts.group(5)));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (Workload workload : workloads) {
            if (values.containsKey(workload.id())) {
                Outcome outcome = new Outcome(workload);
                values.get(workload.id())
                        .forEach((entry, rounds) ->
                                rounds.values().forEach(figures -> outcome.add(entry, new Figures(figures))));
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }
}
