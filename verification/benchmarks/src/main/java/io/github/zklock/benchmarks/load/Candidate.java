package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A candidate for leadership, until its process is killed. A round ends when it is the leader. */
final class Candidate implements Load {

    private final BooleanSupplier leads;

    Candidate(Contender contender) throws Exception {
        leads = contender.candidate("leader");
    }

    @Override
    public Figures run(Duration time) throws InterruptedException {
        long start = System.nanoTime();
        while (!leads.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return Figures.of(Figure.SECONDS, Load.secondsSince(start));
    }
}
