package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ShopCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows that reading, computing and writing in several processes at once loses orders. */
final class LockOffScenario {

    /** Smallest fraction of runs that must end with wrong totals. */
    private static final double LEAST_WRONG = 0.9;

    private LockOffScenario() {}

    static Verdict run(ShopCluster cluster, Load load, int runs) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<LoadRun> runsDone = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            LoadRun run = LoadRun.of(cluster, false, load, done, Scenario.OFF.orders(load, runs));
            Optional<String> flaw = run.flaw();
            if (flaw.isPresent()) {
                return verdict(false, "run %d proves nothing: %s".formatted(i, flaw.get()));
            }
            cluster.listener().line("run %d of %d: %s".formatted(i, runs, run.numbers()));
            runsDone.add(run);
        }
        int required = (int) Math.ceil(LEAST_WRONG * runs);
        long wrong = runsDone.stream().filter(run -> !run.isRight()).count();
        return verdict(
                wrong >= required,
                "wrong totals in %d of %d runs (at least %d required): %d orders completed, %d in the statistics, %d lost"
                        .formatted(
                                wrong,
                                runs,
                                required,
                                runsDone.stream().mapToLong(LoadRun::expected).sum(),
                                runsDone.stream().mapToLong(LoadRun::found).sum(),
                                runsDone.stream().mapToLong(LoadRun::lost).sum()));
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.OFF.label(), passed, text);
    }
}
