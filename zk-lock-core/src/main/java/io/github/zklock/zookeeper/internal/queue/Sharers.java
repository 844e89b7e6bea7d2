package io.github.zklock.zookeeper.internal.queue;

import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Demands for one lock that hold it together, or would hold it together, and the rule which further one may hold beside
 * them. The view of the queue, the requests of this process and the search for deadlocks all use this rule. Not
 * thread-safe.
 */
public final class Sharers {

    /*
     * The rule: beside exclusive and write demands nothing holds, and they hold beside nothing. Readers hold beside
     * readers. Permits hold beside permits as long as there are enough for all. Processes may name different numbers of
     * permits, for example during a deployment; the smallest one counts.
     *
     * The sums are kept while demands come and go, so that no question counts them again: there may be thousands.
     */

    private int size;
    private int readers;
    private int holdersOfPermits;
    private long permits;
    /** How many demands name each number of permits: almost always, all name the same. Null until one does. */
    private @Nullable TreeMap<Integer, Integer> numbers;

    public void add(Demand demand) {
        count(demand, 1);
    }

    public void remove(Demand demand) {
        count(demand, -1);
    }

    private void count(Demand demand, int by) {
        size += by;
        switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> {}
            case READ -> readers += by;
            case PERMITS -> {
                holdersOfPermits += by;
                permits += (long) by * demand.permits();
                if (numbers == null) {
                    numbers = new TreeMap<>();
                }
                numbers.merge(demand.of(), by, (count, more) -> count + more == 0 ? null : count + more);
            }
        }
    }

    public void clear() {
        size = 0;
        readers = 0;
        holdersOfPermits = 0;
        permits = 0;
        numbers = null;
    }

    public int size() {
        return size;
    }

    /** Returns whether this demand may hold the lock beside these. */
    public boolean admits(Demand demand) {
        return size == 0
                || switch (demand.kind()) {
                    case EXCLUSIVE, WRITE -> false;
                    case READ -> readers == size;
                    case PERMITS ->
                        holdersOfPermits == size && permits + demand.permits() <= smallestNumber(demand.of());
                };
    }

    /** Returns whether this demand may hold the lock beside these and others. */
    public boolean admitsBeside(Sharers others, Demand demand) {
        return admits(demand)
                && others.admits(demand)
                && permits + others.permits + demand.permits() <= others.smallestNumber(smallestNumber(demand.of()));
    }

    /** Returns how many permits of this number, or of the smallest one that these name, are left beside these. */
    public int permitsLeft(int of) {
        return holdersOfPermits < size ? 0 : (int) Math.max(0, smallestNumber(of) - permits);
    }

    private int smallestNumber(int number) {
        return numbers == null || numbers.isEmpty() ? number : Math.min(numbers.firstKey(), number);
    }

    /** Returns the smallest number of permits that these name except this one. */
    OptionalInt otherNumberThan(int number) {
        if (numbers == null || numbers.isEmpty()) {
            return OptionalInt.empty();
        }
        @Nullable Integer other = numbers.firstKey() == number ? numbers.higherKey(number) : numbers.firstKey();
        return other == null ? OptionalInt.empty() : OptionalInt.of(other);
    }
}
