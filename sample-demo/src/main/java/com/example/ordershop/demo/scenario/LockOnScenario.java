package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.LoadGenerator.LoadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows that the statistics count every order that is completed under the lock. */
final class LockOnScenario {

    /** Smallest number of hand-overs between shops in a run. With fewer, the shops did not run at the same time. */
    private static final int LEAST_HAND_OVERS = 3;

    private LockOnScenario() {}

    static Verdict run(ShopCluster cluster, Load load, int runs) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<LoadRun> runsDone = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            LoadRun run = LoadRun.of(cluster, true, load, done, Scenario.ON.orders(load, runs));
            Optional<String> flaw = run.flaw().or(() -> flaw(run.result()));
            if (flaw.isPresent()) {
                return verdict(false, "run %d proves nothing: %s".formatted(i, flaw.get()));
            }
            cluster.listener().line("run %d of %d: %s, %s".formatted(i, runs, run.numbers(), throughput(List.of(run))));
            runsDone.add(run);
        }
        long right = runsDone.stream().filter(LoadRun::isRight).count();
        return verdict(
                right == runs,
                "right totals in %d of %d runs: %d orders completed, %d in the statistics, %d lost; %s; %d hand-overs of the lock between shops; %d orders were repeated after their shop had lost the lock"
                        .formatted(
                                right,
                                runs,
                                runsDone.stream().mapToLong(LoadRun::expected).sum(),
                                runsDone.stream().mapToLong(LoadRun::found).sum(),
                                runsDone.stream().mapToLong(LoadRun::lost).sum(),
                                throughput(runsDone),
                                runsDone.stream()
                                        .mapToInt(run -> run.result().handOvers())
                                        .sum(),
                                runsDone.stream()
                                        .mapToInt(run -> run.result().repeated())
                                        .sum()));
    }

    private static Optional<String> flaw(LoadResult result) {
        if (result.tokens() != result.orders().size()) {
            return Optional.of("%d orders were completed under %d tokens: each acquisition must have a token of its own"
                    .formatted(result.orders().size(), result.tokens()));
        }
        if (result.handOvers() < LEAST_HAND_OVERS) {
            return Optional.of("the lock passed only %d times from shop to shop".formatted(result.handOvers()));
        }
        return Optional.empty();
    }

    private static String throughput(List<LoadRun> runs) {
        Duration time = runs.stream().map(LoadRun::time).reduce(Duration.ZERO, Duration::plus);
        long orders = runs.stream().mapToLong(LoadRun::expected).sum();
        return "%.0f orders/s".formatted(orders * 1e9 / Math.max(1, time.toNanos()));
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.ON.label(), passed, text);
    }
}
