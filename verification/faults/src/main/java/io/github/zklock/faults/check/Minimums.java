package io.github.zklock.faults.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What must at least have happened for a scenario to prove anything. */
public record Minimums(Map<Count, Integer> least) {

    public Minimums {
        least = Map.copyOf(least);
    }

    /** Where there was too little; nothing if there was enough. */
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
