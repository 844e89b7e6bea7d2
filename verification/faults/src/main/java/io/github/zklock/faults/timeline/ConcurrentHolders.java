package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Hold.HeldInterval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The moment at which somebody begins to believe in the lock.
 *
 * @param present those who believe in it at that moment
 */
public record ConcurrentHolders(HeldInterval newcomer, List<HeldInterval> present) {

    /** All such moments around each lock, in order of time. */
    public static List<ConcurrentHolders> on(Timeline timeline) {
        Map<String, List<HeldInterval>> byLock = timeline.holds().stream()
                .flatMap(hold -> hold.heldIntervals().stream())
                .sorted(Comparator.comparingLong(HeldInterval::from))
                .collect(Collectors.groupingBy(
                        heldInterval -> heldInterval.hold().spec().lock()));
        return byLock.values().stream()
                .flatMap(heldIntervals -> of(heldIntervals).stream())
                .sorted(Comparator.comparingLong(holders -> holders.newcomer().from()))
                .toList();
    }

    private static List<ConcurrentHolders> of(List<HeldInterval> heldIntervals) {
        List<ConcurrentHolders> all = new ArrayList<>();
        List<HeldInterval> present = new ArrayList<>();
        for (HeldInterval heldInterval : heldIntervals) {
            present.removeIf(other -> other.until() <= heldInterval.from());
            all.add(new ConcurrentHolders(heldInterval, List.copyOf(present)));
            present.add(heldInterval);
        }
        return all;
    }

    /** The same moment without some of those present. */
    public ConcurrentHolders without(Predicate<HeldInterval> absent) {
        return new ConcurrentHolders(newcomer, present.stream().filter(absent.negate()).toList());
    }

    /** Those present beside whom the newcomer may not be, each taken alone. */
    public List<HeldInterval> conflicts() {
        return present.stream()
                .filter(other -> !spec().fitsBeside(List.of(other.hold().spec())))
                .toList();
    }

    /** Whether the newcomer may be beside all of them together. */
    public boolean isAllowed() {
        return spec().fitsBeside(
                        present.stream().map(other -> other.hold().spec()).toList());
    }

    /** How many there are together, each with the number of his permits. */
    public int size() {
        return spec().permits()
                + present.stream()
                        .mapToInt(other -> other.hold().spec().permits())
                        .sum();
    }

    private LockSpec spec() {
        return newcomer.hold().spec();
    }
}
