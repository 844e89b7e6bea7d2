package io.github.zklock.benchmarks;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.RedisServer;
import io.github.zklock.benchmarks.report.FigureFile;
import io.github.zklock.benchmarks.report.Profile;
import io.github.zklock.benchmarks.report.Report;
import io.github.zklock.benchmarks.workload.MeasurementContext;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Rounds;
import io.github.zklock.benchmarks.workload.Size;
import io.github.zklock.benchmarks.workload.WarmUp;
import io.github.zklock.benchmarks.workload.Workload;
import io.github.zklock.benchmarks.workload.Workloads;
import io.github.zklock.faults.cluster.Ensemble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command {@code verification/benchmarks/run}: measures workloads and prints the results. */
public final class BenchmarksMain {

    private static final int WRONG_ARGUMENTS = 2;
    private static final Duration WARMING_OF_SERVERS = Duration.ofSeconds(10);
    private static final Path TARGET = Path.of("target", "benchmarks").toAbsolutePath();
    private static final Path PAGE = Path.of("../../docs/internals/benchmarks.md");
    private static final int PLACES = 25;
    private static final String CHARTS = "../images/benchmarks";

    private BenchmarksMain() {}

    /**
     * Exits with 0 if all workloads were measured, whatever the results; with 2 if the arguments are wrong.
     *
     * @param args see {@link RunOptions#USAGE}
     */
    public static void main(String[] args) throws Exception {
        RunOptions options;
        List<Workload> all;
        List<Workload> wanted;
        try {
            options = RunOptions.parse(List.of(args));
            all = Workloads.all(
                    options.mode() == RunOptions.Mode.QUICK ? Size.SMALL : Size.FULL, RedisServer.isInstalled());
            wanted = wanted(all, options);
        } catch (IllegalArgumentException e) {
            System.err.println("run: " + e.getMessage() + "\n" + RunOptions.USAGE);
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        switch (options.mode()) {
            case HELP -> System.out.println(RunOptions.USAGE);
            case LIST -> wanted.forEach(workload -> System.out.printf("%-20s %s%n", workload.id(), workload.title()));
            case QUICK, FULL, PROFILE -> print(options, all.size(), measure(all, wanted, options));
        }
        System.exit(0);
    }

    private static List<Workload> wanted(List<Workload> all, RunOptions options) {
        List<Workload> wanted = all.stream()
                .filter(options::wants)
                .map(workload -> options.mode() == RunOptions.Mode.PROFILE ? workload.ofOurs() : workload)
                .toList();
        Set<String> known = wanted.stream().map(Workload::id).collect(Collectors.toSet());
        options.workloads().stream()
                .filter(id -> !known.contains(id))
                .findFirst()
                .ifPresent(id -> {
                    throw new IllegalArgumentException(
                            "No workload '%s' in this mode; `run list` prints those of `run full`".formatted(id));
                });
        return wanted;
    }

    /** Returns the outcomes in the order of all workloads: the measured ones, and those of an earlier run if resumed. */
    private static List<Outcome> measure(List<Workload> all, List<Workload> wanted, RunOptions options)
            throws Exception {
        Path results = TARGET.resolve(options.mode().name().toLowerCase(Locale.ROOT));
        FigureFile file = new FigureFile(results.resolve("figures.csv"));
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        if (options.resumed()) {
            file.read(all).forEach(outcome -> outcomes.put(outcome.workload().id(), outcome));
        }
        List<Workload> missing = wanted.stream()
                .filter(workload -> !options.workloads().isEmpty() || !outcomes.containsKey(workload.id()))
                .toList();
        Path logs = TARGET.resolve("run");
        Ensemble.deleteRecursively(logs);
        Files.createDirectories(logs);
        try (Cluster cluster = new Cluster(logs)) {
            Optional<RedisServer> redis = RedisServer.start(logs.resolve("redis.log"));
            try {
                Rounds rounds = rounds(
                        options.mode(),
                        new MeasurementContext(cluster, redis, logs, options.mode() == RunOptions.Mode.PROFILE));
                rounds.warmServers(WARMING_OF_SERVERS);
                int count = 0;
                for (Workload workload : missing) {
                    count++;
                    System.err.printf("[%d/%d] %s ", count, missing.size(), workload.id());
                    Outcome outcome = rounds.measure(workload);
                    System.err.println();
                    System.out.println(Report.text(outcome) + "\n");
                    printProfiles(logs);
                    outcomes.put(workload.id(), outcome);
                    // written after each workload, in case a later one fails
                    file.write(ordered(all, outcomes));
                    new Report(List.of(outcome)).writeCharts(results.resolve("charts"));
                }
            } finally {
                redis.ifPresent(RedisServer::close);
            }
        }
        return ordered(all, outcomes);
    }

    private static List<Outcome> ordered(List<Workload> all, Map<String, Outcome> outcomes) {
        return all.stream()
                .map(workload -> outcomes.get(workload.id()))
                .filter(Objects::nonNull)
                .toList();
    }

    private static Rounds rounds(RunOptions.Mode mode, MeasurementContext context) {
        WarmUp whole = new WarmUp(Duration.ofSeconds(3), 2, 100);
        return switch (mode) {
            case FULL -> new Rounds(context, whole, 5, Duration.ofSeconds(2), System.err);
            case PROFILE -> new Rounds(context, whole, 1, Duration.ofSeconds(30), System.err);
            default -> new Rounds(context, whole, 3, Duration.ofSeconds(2), System.err);
        };
    }

    /** Prints and deletes the recordings of one workload. */
    private static void printProfiles(Path folder) throws IOException {
        List<Path> recordings;
        try (Stream<Path> files = Files.list(folder)) {
            recordings = files.filter(file -> file.toString().endsWith(MeasurementContext.RECORDING))
                    .sorted()
                    .toList();
        }
        for (Path recording : recordings) {
            String name = recording.getFileName().toString().replace(MeasurementContext.RECORDING, "");
            System.out.println(name + " was " + Profile.read(recording).text(PLACES) + "\n");
            Files.delete(recording);
        }
    }

    /** @param workloads the number of all workloads: the page is written only if each has an outcome */
    private static void print(RunOptions options, int workloads, List<Outcome> outcomes) throws IOException {
        Report report = new Report(outcomes);
        if (options.isToBePublished() && outcomes.size() == workloads) {
            report.writeCharts(PAGE.resolveSibling(CHARTS));
            report.publish(PAGE, CHARTS, "verification/benchmarks/run full");
        }
        System.out.println(report.summary());
    }
}
