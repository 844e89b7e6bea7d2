package io.github.zklock.faults.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What must at least have happened for a scenario to prove anything. */
public record Floors(Map<Count, Integer> least) {

    public Floors {
        least = Map.copyOf(least);
    }

    /** Where there was too little; nothing if there was enough. */
    List<String> misses(Map<Count, Integer> counts) {
        List<String> misses = new ArrayList<>();
        for (Count count : Count.values()) {
            int found = counts.getOrDefault(count, 0);
            int floor = least.getOrDefault(count, 0);
            if (found < floor) {
                misses.add("Hollow: %d %s, fewer than %d".formatted(found, count, floor));
            }
        }
        return misses;
    }
}
