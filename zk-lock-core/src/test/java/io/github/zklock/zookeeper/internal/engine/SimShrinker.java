package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import java.util.ArrayList;
import java.util.List;

/** Makes a failing plan smaller while it goes on failing: first the end of the program, then its faults and wishes. */
final class SimShrinker {

    private final String check;
    private SimPlan smallest;

    private SimShrinker(SimResult failure) {
        this.check = failure.violation().check();
        this.smallest = failure.plan();
    }

    /** The smallest plan found that fails the same check, run with a readable trace. */
    static SimResult shrink(SimResult failure) {
        SimShrinker shrinker = new SimShrinker(failure);
        shrinker.dropSuffix();
        shrinker.dropMishaps();
        shrinker.dropWishes();
        return SimResult.of(shrinker.smallest, true);
    }

    private void dropSuffix() {
        List<Wish> wishes = smallest.wishes();
        while (!wishes.isEmpty() && stillFails(smallest.withWishes(wishes.subList(0, wishes.size() - 1)))) {
            wishes = smallest.wishes();
        }
    }

    private void dropMishaps() {
        for (int i = smallest.mishaps().size() - 1; i >= 0; i--) {
            List<Mishap> fewer = new ArrayList<>(smallest.mishaps());
            fewer.remove(i);
            stillFails(smallest.withMishaps(fewer));
        }
    }

    private void dropWishes() {
        for (int i = smallest.wishes().size() - 1; i >= 0; i--) {
            List<Wish> fewer = new ArrayList<>(smallest.wishes());
            fewer.remove(i);
            stillFails(smallest.withWishes(fewer));
        }
    }

    private boolean stillFails(SimPlan plan) {
        SimViolation violation = SimResult.of(plan, false).violation();
        boolean fails = violation != null && violation.check().equals(check);
        if (fails) {
            smallest = plan;
        }
        return fails;
    }
}
