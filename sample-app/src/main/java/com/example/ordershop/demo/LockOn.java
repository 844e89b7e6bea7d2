package com.example.ordershop.demo;

import com.example.ordershop.demo.Crowd.Takings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows the cure: under the lock every order is counted. */
final class LockOn implements Act {

    /** How often the lock must go from one shop to another in a run: less often, and they were not there at once. */
    private static final int LEAST_HAND_OVERS = 3;

    @Override
    public Verdict play(Stage stage, Load load, int runs) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<Run> played = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            Run run = Run.play(stage, true, load, done, Scenario.ON.orders(load, runs));
            Optional<String> flaw = run.flaw().or(() -> flaw(run.takings()));
            if (flaw.isPresent()) {
                return verdict(false, "run %d proves nothing: %s".formatted(i, flaw.get()));
            }
            stage.audience().line("run %d of %d: %s, %s".formatted(i, runs, run.numbers(), throughput(List.of(run))));
            played.add(run);
        }
        long right = played.stream().filter(Run::isRight).count();
        return verdict(
                right == runs,
                "right totals in %d of %d runs: %d orders completed, %d in the statistics, %d lost; %s; the lock went %d times from shop to shop; %d orders were done again, since their shop had lost the lock"
                        .formatted(
                                right,
                                runs,
                                played.stream().mapToLong(Run::expected).sum(),
                                played.stream().mapToLong(Run::found).sum(),
                                played.stream().mapToLong(Run::lost).sum(),
                                throughput(played),
                                played.stream()
                                        .mapToInt(run -> run.takings().handOvers())
                                        .sum(),
                                played.stream()
                                        .mapToInt(run -> run.takings().repeated())
                                        .sum()));
    }

    private static Optional<String> flaw(Takings takings) {
        if (takings.tokens() != takings.sales().size()) {
            return Optional.of(
                    "%d orders were completed under %d tokens: each takes the lock, which gives each another one"
                            .formatted(takings.sales().size(), takings.tokens()));
        }
        if (takings.handOvers() < LEAST_HAND_OVERS) {
            return Optional.of("the lock went only %d times from shop to shop".formatted(takings.handOvers()));
        }
        return Optional.empty();
    }

    private static String throughput(List<Run> runs) {
        Duration time = runs.stream().map(Run::time).reduce(Duration.ZERO, Duration::plus);
        long orders = runs.stream().mapToLong(Run::expected).sum();
        return "%.0f orders/s".formatted(orders * 1e9 / Math.max(1, time.toNanos()));
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.ON.label(), passed, text);
    }
}
