package com.example.ordershop.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows the mistake: read, compute and write in several processes at once loses orders. */
final class LockOff implements Act {

    /** Of all runs, this part at least must end with wrong totals. */
    private static final double PROMISED = 0.9;

    @Override
    public Verdict play(Stage stage, Load load, int runs) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<Run> played = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            Run run = Run.play(stage, false, load, done, Scenario.OFF.orders(load, runs));
            Optional<String> flaw = run.flaw();
            if (flaw.isPresent()) {
                return verdict(false, "run %d proves nothing: %s".formatted(i, flaw.get()));
            }
            stage.audience().line("run %d of %d: %s".formatted(i, runs, run.numbers()));
            played.add(run);
        }
        int promised = (int) Math.ceil(PROMISED * runs);
        long wrong = played.stream().filter(run -> !run.isRight()).count();
        return verdict(
                wrong >= promised,
                "wrong totals in %d of %d runs (at least %d promised): %d orders completed, %d in the statistics, %d lost"
                        .formatted(
                                wrong,
                                runs,
                                promised,
                                played.stream().mapToLong(Run::expected).sum(),
                                played.stream().mapToLong(Run::found).sum(),
                                played.stream().mapToLong(Run::lost).sum()));
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.OFF.label(), passed, text);
    }
}
