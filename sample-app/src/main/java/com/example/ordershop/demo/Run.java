package com.example.ordershop.demo;

import com.example.ordershop.demo.Crowd.Takings;
import com.example.ordershop.demo.ShopClient.Statistics;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One day of selling, and what the statistics say of it afterwards. */
record Run(Load load, Takings takings, Statistics statistics) {

    /**
     * Sells on a new day.
     *
     * @param done counts the orders of all runs
     * @param total of those
     */
    static Run play(Stage stage, boolean guarded, Load load, AtomicInteger done, int total)
            throws InterruptedException {
        List<ShopProcess> shops = stage.shops(load.shops());
        LocalDate day = stage.newDay();
        Takings takings = new Crowd(
                        shops, day, guarded, load, () -> stage.audience().progress(done.incrementAndGet(), total))
                .visit();
        return new Run(load, takings, shops.get(0).client().statistics(day));
    }

    /** Why this run says nothing about statistics; empty if it does. */
    Optional<String> flaw() {
        long completed = statistics.truth().orders();
        if (!takings.failures().isEmpty()) {
            return Optional.of("%d of %d orders failed, the first: %s"
                    .formatted(
                            takings.failures().size(),
                            load.wanted(),
                            takings.failures().get(0)));
        }
        if (completed != load.wanted()) {
            return Optional.of(
                    "%d orders were to be completed, the database has %d".formatted(load.wanted(), completed));
        }
        if (takings.shops() < load.shops()) {
            return Optional.of("only %d of %d shops completed orders".formatted(takings.shops(), load.shops()));
        }
        return Optional.empty();
    }

    /** By the numbers; the shop's own opinion has to be the same. */
    boolean isRight() {
        boolean equal = statistics.orders() == statistics.truth().orders()
                && statistics.amountCents() == statistics.truth().amountCents();
        if (equal != statistics.right()) {
            throw new StageException("The shop says right=" + statistics.right() + " of " + statistics);
        }
        return equal;
    }

    long expected() {
        return statistics.truth().orders();
    }

    long found() {
        return statistics.orders();
    }

    /** Completed and not counted; negative if something was counted twice. */
    long lost() {
        return expected() - found();
    }

    Duration time() {
        return takings.time();
    }

    String numbers() {
        return "expected %d, found %d, lost %d".formatted(expected(), found(), lost());
    }
}
