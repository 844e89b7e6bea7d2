package io.github.zklock.faults.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The least number of events of each kind for a scenario run to be conclusive. */
public record Minimums(Map<Count, Integer> least) {

    public Minimums {
        least = Map.copyOf(least);
    }

    /** Returns the counts that are too low. */
    List<String> shortfalls(Map<Count, Integer> counts) {
        List<String> shortfalls = new ArrayList<>();
        for (Count count : Count.values()) {
            int found = counts.getOrDefault(count, 0);
            int minimum = least.getOrDefault(count, 0);
            if (found < minimum) {
                shortfalls.add("Inconclusive: %d %s, fewer than %d".formatted(found, count, minimum));
            }
        }
        return shortfalls;
    }
}
