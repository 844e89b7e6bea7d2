package io.github.zklock.benchmarks;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.RedisServer;
import io.github.zklock.benchmarks.report.FigureFile;
import io.github.zklock.benchmarks.report.Report;
import io.github.zklock.benchmarks.workload.MeasurementContext;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Rounds;
import io.github.zklock.benchmarks.workload.WarmUp;
import io.github.zklock.benchmarks.workload.Workload;
import io.github.zklock.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.io.FileUtils;

/** The command {@code verification/benchmarks/run}: measures workloads and prints the results. */
public final class BenchmarksMain {

    private static final int WRONG_ARGUMENTS = 2;
    private static final Duration WARMING_OF_SERVERS = Duration.ofSeconds(10);
    private static final WarmUp WARM_UP = new WarmUp(Duration.ofSeconds(3), 2, 100);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final Path TARGET = Path.of("target", "benchmarks").toAbsolutePath();
    private static final Path PAGE = Path.of("../../docs/internals/benchmarks.md");
    private static final Path CHARTS = Path.of("../../docs/images/benchmarks");

    private BenchmarksMain() {}

    /**
     * Exits with 0 if all workloads were measured, whatever the results; with 2 if the arguments are wrong.
     *
     * @param args see {@link RunOptions#USAGE}
     */
    public static void main(String[] args) throws Exception {
        RunOptions options;
        List<Workload> all = Workloads.all();
        List<Workload> wanted;
        try {
            options = RunOptions.parse(List.of(args));
            wanted = options.select(all);
        } catch (IllegalArgumentException e) {
            System.err.println("run: " + e.getMessage() + "\n" + RunOptions.USAGE);
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        switch (options.mode()) {
            case HELP -> System.out.println(RunOptions.USAGE);
            case LIST -> all.forEach(workload -> System.out.printf("%-20s %s%n", workload.id(), workload.title()));
            case QUICK, FULL -> {
                List<Outcome> outcomes = measure(all, wanted, options);
                Report report = new Report(outcomes);
                if (options.isToBePublished() && hasWholePage(all, outcomes)) {
                    report.publish(PAGE, CHARTS, "verification/benchmarks/run full");
                }
                System.out.println(report.summary());
            }
        }
        System.exit(0);
    }

    private static boolean hasWholePage(List<Workload> all, List<Outcome> outcomes) {
        List<String> measured =
                outcomes.stream().map(outcome -> outcome.workload().id()).toList();
        return all.stream()
                .filter(workload -> !workload.unpublished())
                .allMatch(workload -> measured.contains(workload.id()));
    }

    /** Returns the outcomes in the order of all workloads: the measured ones, and those of an earlier run if resumed. */
    private static List<Outcome> measure(List<Workload> all, List<Workload> wanted, RunOptions options)
            throws Exception {
        Path results = TARGET.resolve(options.mode().name().toLowerCase(Locale.ROOT));
        FigureFile file = new FigureFile(results.resolve("figures.tsv"));
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        if (options.resumed()) {
            file.read(all).forEach(outcome -> outcomes.put(outcome.workload().id(), outcome));
        }
        List<Workload> missing = wanted.stream()
                .filter(workload -> !options.workloads().isEmpty() || !outcomes.containsKey(workload.id()))
                .toList();
        Path logs = TARGET.resolve("run");
        FileUtils.deleteDirectory(logs.toFile());
        Files.createDirectories(logs);
        int count = options.mode() == RunOptions.Mode.FULL ? 5 : 3;
        try (BusyThreads busy = new BusyThreads(options.busy());
                Cluster cluster = new Cluster(logs, options.disks());
                // null without a Redis server
                RedisServer redis = RedisServer.isInstalled() ? new RedisServer() : null) {
            MeasurementContext context = new MeasurementContext(cluster, Optional.ofNullable(redis), logs);
            Rounds rounds = new Rounds(context, WARM_UP, count, ROUND, System.err);
            rounds.warmServers(WARMING_OF_SERVERS);
            for (Workload workload : missing) {
                System.err.printf("[%d/%d] %s ", missing.indexOf(workload) + 1, missing.size(), workload.id());
                Outcome outcome = rounds.measure(workload);
                System.err.println();
                System.out.println(Report.section(outcome));
                outcomes.put(workload.id(), outcome);
                // written after each workload, in case a later one fails
                file.write(ordered(all, outcomes));
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
}
