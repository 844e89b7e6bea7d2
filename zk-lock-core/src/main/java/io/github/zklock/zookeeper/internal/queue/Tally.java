package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What several demands for one lock take together. It is kept while demands come and go, so that no question counts
 * them again. Not thread-safe.
 */
public final class Tally {

    private long permits;
    /** How many demands speak of each number of permits: almost always, all speak of the same. */
    private final TreeMap<Integer, Integer> numbers = new TreeMap<>();

    public void add(Demand demand) {
        permits += demand.permits();
        if (demand.kind() == LockKind.PERMITS) {
            numbers.merge(demand.of(), 1, Integer::sum);
        }
    }

    public void remove(Demand demand) {
        permits -= demand.permits();
        if (demand.kind() == LockKind.PERMITS) {
            numbers.computeIfPresent(demand.of(), (same, count) -> count == 1 ? null : count - 1);
        }
    }

    public void clear() {
        permits = 0;
        numbers.clear();
    }

    public long permits() {
        return permits;
    }

    /**
     * Returns whether this demand for permits fits beside the others. Semaphores may speak of different numbers of
     * permits; the smallest one counts.
     */
    public boolean fits(Demand demand) {
        return permits + demand.permits() <= smallest(demand.of());
    }

    /** Returns whether this demand for permits fits beside the others and those of another tally. */
    public boolean fits(Demand demand, Tally others) {
        return permits + others.permits + demand.permits() <= others.smallest(smallest(demand.of()));
    }

    private int smallest(int number) {
        return numbers.isEmpty() ? number : Math.min(numbers.firstKey(), number);
    }

    /** Returns the smallest number of permits but this one. */
    OptionalInt smallestExcept(int number) {
        Integer smallest = numbers.isEmpty() ? null : numbers.firstKey();
        @Nullable Integer other = smallest == null || smallest != number ? smallest : numbers.higherKey(number);
        return other == null ? OptionalInt.empty() : OptionalInt.of(other);
    }
}
