package io.github.zklock.faults;

import io.github.zklock.faults.ScenarioResult.Outcome;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The command {@code verification/faults/run}: runs scenarios and prints their results. */
public final class FaultsMain {

    private static final int WRONG_ARGUMENTS = 2;

    private static final Path FOLDER = Path.of("target", "faults").toAbsolutePath();

    private static final PlantedBugs BUGS = new PlantedBugs(
            Path.of("../../zk-lock-core/src/main/java"),
            Path.of("target", "planted").toAbsolutePath());

    private final PrintStream out;
    private final Totals totals = new Totals();

    private FaultsMain(PrintStream out) {
        this.out = out;
    }

    /**
     * Exits with 0 if no rule was broken, 1 otherwise, and 2 if the arguments are wrong.
     *
     * @param args see {@link RunOptions#USAGE}
     */
    public static void main(String[] args) {
        Plan plan;
        try {
            plan = new Plan(RunOptions.parse(List.of(args)), Jdk.all(), ServerRelease.all(), List.of());
        } catch (IllegalArgumentException e) {
            System.err.println("run: " + e.getMessage() + "\n" + RunOptions.USAGE);
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        System.exit(new FaultsMain(System.out).run(plan));
    }

    private int run(Plan wanted) {
        RunOptions options = wanted.options();
        Plan plan = options.planted().isEmpty() || options.mode() == RunOptions.Mode.PLANTED
                ? wanted
                : wanted.with(BUGS.build(options.planted()));
        switch (options.mode()) {
            case HELP -> {
                out.println(RunOptions.USAGE);
                return 0;
            }
            case LIST -> {
                list();
                return 0;
            }
            case SOAK -> soak(plan);
            case PEERS -> {
                return new PeerComparison(out).run(plan);
            }
            case PLANTED -> {
                return checkPlantedBugs(plan);
            }
            default -> executeAll(plan);
        }
        out.println(totals);
        return totals.exitCode();
    }

    private void executeAll(Plan plan) {
        List<ScenarioRun> runs = plan.runs();
        try (ScenarioRunner runner = runner()) {
            int number = 0;
            for (ScenarioRun run : runs) {
                out.printf("[%d/%d] ", ++number, runs.size());
                show(runner.execute(run), plan.options());
            }
        }
    }

    private void soak(Plan plan) {
        Duration time = plan.options().time();
        out.printf("soaking for %s, seed %d%n", time, plan.options().seed());
        long startedAt = System.nanoTime();
        try (ScenarioRunner runner = runner()) {
            for (ScenarioRun run : (Iterable<ScenarioRun>) plan.drawn()::iterator) {
                Duration passed = Duration.ofNanos(System.nanoTime() - startedAt);
                if (passed.compareTo(time) >= 0) {
                    return;
                }
                out.printf("[%d min] ", passed.toMinutes());
                show(runner.execute(run), plan.options());
            }
        }
    }

    private int checkPlantedBugs(Plan plan) {
        try (ScenarioRunner runner = runner()) {
            return BUGS.check(plan, runner, out) ? 0 : 1;
        }
    }

    private void list() {
        Scenarios.all().forEach(scenario -> out.println(Scenarios.id(scenario) + " " + scenario.getName()));
        PlantedBugs.ALL.forEach(bug -> out.println("--planted " + bug.name()));
    }

    static ScenarioRunner runner() {
        if (!ScenarioRunner.acquireFolder(FOLDER)) {
            System.err.println(
                    "run: another run is active in this checkout; wait for its end, or use another checkout");
            System.exit(WRONG_ARGUMENTS);
        }
        System.out.printf(
                "network: %s; JDKs: %s; servers: %s%n",
                Ensemble.network(), inWords(Jdk.all()), inWords(ServerRelease.all()));
        return new ScenarioRunner(FOLDER, Boolean.getBoolean("faults.keep"));
    }

    private static String inWords(List<?> all) {
        return all.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private void show(ScenarioResult result, RunOptions options) {
        out.println(result);
        totals.add(result);
        result.figures().forEach(figures -> out.println("        " + figures));
        if (result.outcome() != Outcome.PASSED) {
            out.println(result.findings().indent(8).stripTrailing());
        }
        if (result.outcome() == Outcome.FAILED) {
            out.println("        kept in " + result.records());
            String bug = options.planted().isEmpty() ? "" : " --planted " + options.planted();
            out.println("        again: " + result.run().command() + bug);
        }
    }
}
