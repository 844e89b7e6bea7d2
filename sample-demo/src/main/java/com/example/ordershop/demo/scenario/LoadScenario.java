package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ShopCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Completes orders in several shops at once. Without the lock, reading, computing and writing loses orders; under the lock, the
 * statistics count every order.
 */
final class LoadScenario {

    /** Smallest fraction of runs without the lock that must end with wrong totals. */
    private static final double LEAST_WRONG = 0.9;

    private LoadScenario() {}

    static Verdict run(ShopCluster cluster, boolean guarded, int times) throws InterruptedException {
        List<LoadRun> runs = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            LoadRun run = new LoadGenerator(cluster, guarded).run();
            runs.add(run);
            cluster.report("run %d of %d: %s%s"
                    .formatted(i, times, run.statistics().numbers(), guarded ? ", " + throughput(List.of(run)) : ""));
            if (run.flaw(guarded).isPresent()) {
                break;
            }
        }
        return guarded ? on(runs) : off(runs);
    }

    /** Judges runs without the lock. */
    static Verdict off(List<LoadRun> runs) {
        int required = (int) Math.ceil(LEAST_WRONG * runs.size());
        long wrong = runs.stream().filter(run -> !run.isRight()).count();
        return flaw(Scenario.OFF, runs)
                .orElseGet(() -> Scenario.OFF.verdict(
                        wrong >= required,
                        "wrong totals in %d of %d runs (at least %d required): %s"
                                .formatted(wrong, runs.size(), required, numbers(runs))));
    }

    /** Judges runs under the lock. */
    static Verdict on(List<LoadRun> runs) {
        long right = runs.stream().filter(LoadRun::isRight).count();
        return flaw(Scenario.ON, runs)
                .orElseGet(() -> Scenario.ON.verdict(
                        right == runs.size(),
                        "right totals in %d of %d runs: %s; %s; %d hand-overs of the lock between shops; %d orders were repeated after their shop had lost the lock"
                                .formatted(
                                        right,
                                        runs.size(),
                                        numbers(runs),
                                        throughput(runs),
                                        sum(runs, LoadRun::handOvers),
                                        sum(runs, LoadRun::repeated))));
    }

    private static Optional<Verdict> flaw(Scenario scenario, List<LoadRun> runs) {
        LoadRun last = runs.get(runs.size() - 1);
        return last.flaw(scenario == Scenario.ON)
                .map(flaw -> scenario.verdict(false, "run %d proves nothing: %s".formatted(runs.size(), flaw)));
    }

    private static String numbers(List<LoadRun> runs) {
        return "%d orders completed, %d in the statistics, %d lost"
                .formatted(
                        completed(runs),
                        sum(runs, run -> run.statistics().orders()),
                        sum(runs, run -> run.statistics().lost()));
    }

    private static String throughput(List<LoadRun> runs) {
        long nanos = sum(runs, run -> run.time().toNanos());
        return "%.0f orders/s".formatted(completed(runs) * 1e9 / Math.max(1, nanos));
    }

    private static long completed(List<LoadRun> runs) {
        return sum(runs, run -> run.statistics().truth().orders());
    }

    private static long sum(List<LoadRun> runs, ToLongFunction<LoadRun> number) {
        return runs.stream().mapToLong(number).sum();
    }
}
