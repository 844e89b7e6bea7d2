package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.process.ShopProcess;
import com.example.ordershop.demo.scenario.LoadGenerator.LoadResult;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One run of the load generator on a day of its own, and the statistics of that day afterwards. */
record LoadRun(Load load, LoadResult result, Statistics statistics) {

    /**
     * Runs the load generator on a new day.
     *
     * @param done counter of completed orders of all runs
     * @param total number of orders of all runs
     */
    static LoadRun of(ShopCluster cluster, boolean guarded, Load load, AtomicInteger done, int total)
            throws InterruptedException {
        List<ShopProcess> shops = cluster.shops(load.shops());
        LocalDate day = cluster.newDay();
        LoadResult result = new LoadGenerator(
                        shops, day, guarded, load, () -> cluster.listener().progress(done.incrementAndGet(), total))
                .run();
        return new LoadRun(load, result, shops.get(0).client().statistics(day));
    }

    /** Returns why this run proves nothing; empty if it is valid. */
    Optional<String> flaw() {
        long completed = statistics.truth().orders();
        if (!result.failures().isEmpty()) {
            return Optional.of("%d of %d orders failed, the first: %s"
                    .formatted(
                            result.failures().size(),
                            load.wanted(),
                            result.failures().get(0)));
        }
        if (completed != load.wanted()) {
            return Optional.of("%d orders requested, %d completed in the database".formatted(load.wanted(), completed));
        }
        if (result.shops() < load.shops()) {
            return Optional.of("only %d of %d shops completed orders".formatted(result.shops(), load.shops()));
        }
        return Optional.empty();
    }

    /** Compares the totals, and checks that the shop reports the same result. */
    boolean isRight() {
        boolean equal = statistics.orders() == statistics.truth().orders()
                && statistics.amountCents() == statistics.truth().amountCents();
        if (equal != statistics.right()) {
            throw new ScenarioException("The shop reports right=" + statistics.right() + " for " + statistics);
        }
        return equal;
    }

    long expected() {
        return statistics.truth().orders();
    }

    long found() {
        return statistics.orders();
    }

    /** Returns the number of completed orders that are not counted; negative if orders were counted twice. */
    long lost() {
        return expected() - found();
    }

    Duration time() {
        return result.time();
    }

    String numbers() {
        return "expected %d, found %d, lost %d".formatted(expected(), found(), lost());
    }
}
