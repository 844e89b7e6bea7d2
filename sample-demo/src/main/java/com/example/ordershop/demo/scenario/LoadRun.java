package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Result of one run of {@link LoadGenerator}.
 *
 * @param repeated number of attempts whose shop had lost the lock
 * @param failures one message for each order that was not completed
 * @param statistics of the day of the run, read after it
 */
record LoadRun(List<CompletedOrder> orders, int repeated, List<String> failures, Duration time, Statistics statistics) {

    /** Smallest number of hand-overs between shops in a run. With fewer, the shops did not run at the same time. */
    private static final int LEAST_HAND_OVERS = 3;

    /** An order that was completed by this shop, under the lock with this token. */
    record CompletedOrder(String shop, long token) {}

    /** Returns why this run proves nothing; empty if it is valid. */
    Optional<String> flaw(boolean guarded) {
        long completed = statistics.truth().orders();
        long shops = orders.stream().map(CompletedOrder::shop).distinct().count();
        if (!failures.isEmpty()) {
            return Optional.of("%d of %d orders failed, the first: %s"
                    .formatted(failures.size(), LoadGenerator.TOTAL, failures.get(0)));
        }
        if (completed != LoadGenerator.TOTAL) {
            return Optional.of(
                    "%d orders requested, %d completed in the database".formatted(LoadGenerator.TOTAL, completed));
        }
        if (shops < LoadGenerator.SHOPS) {
            return Optional.of("only %d of %d shops completed orders".formatted(shops, LoadGenerator.SHOPS));
        }
        return guarded ? flawOfTokens() : Optional.empty();
    }

    private Optional<String> flawOfTokens() {
        long tokens =
                orders.stream().mapToLong(CompletedOrder::token).distinct().count();
        if (tokens != orders.size()) {
            return Optional.of("%d orders were completed under %d tokens: each acquisition must have a token of its own"
                    .formatted(orders.size(), tokens));
        }
        if (handOvers() < LEAST_HAND_OVERS) {
            return Optional.of("the lock passed only %d times from shop to shop".formatted(handOvers()));
        }
        return Optional.empty();
    }

    /** Returns how often the next token belonged to another shop. */
    int handOvers() {
        List<String> shops = orders.stream()
                .sorted(Comparator.comparingLong(CompletedOrder::token))
                .map(CompletedOrder::shop)
                .toList();
        int count = 0;
        for (int i = 1; i < shops.size(); i++) {
            if (!shops.get(i).equals(shops.get(i - 1))) {
                count++;
            }
        }
        return count;
    }

    /** Compares the totals, and checks that the shop reports the same result. */
    boolean isRight() {
        boolean equal = statistics.lost() == 0
                && statistics.amountCents() == statistics.truth().amountCents();
        if (equal != statistics.right()) {
            throw new ScenarioException("The shop reports right=" + statistics.right() + " for " + statistics);
        }
        return equal;
    }
}
