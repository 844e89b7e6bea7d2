package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Hold.HeldInterval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The instant at which a client begins to hold a lock, and the other holders at that instant.
 *
 * @param present the other holders
 */
public record ConcurrentHolders(HeldInterval newcomer, List<HeldInterval> present) {

    /** Returns all such instants of all locks, in order of time. */
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

    public ConcurrentHolders without(Predicate<HeldInterval> absent) {
        return new ConcurrentHolders(
                newcomer, present.stream().filter(absent.negate()).toList());
    }

    /** Returns the present holders that exclude the new one, each considered alone. */
    public List<HeldInterval> conflicts() {
        return present.stream()
                .filter(other -> !spec().fitsBeside(List.of(other.hold().spec())))
                .toList();
    }

    /** Returns whether the new holder is allowed beside all present ones together. */
    public boolean isAllowed() {
        return spec().fitsBeside(
                        present.stream().map(other -> other.hold().spec()).toList());
    }

    /** Returns the number of holders, where a holder of several permits counts once for each. */
    public int size() {
        return spec().permits()
                + present.stream()
                        .mapToInt(other -> other.hold().spec().permits())
                        .sum();
    }

    /** Returns the smallest number of permits that a holder's semaphore has. */
    public int most() {
        return present.stream().mapToInt(other -> other.hold().spec().of()).reduce(spec().of(), Math::min);
    }

    private LockSpec spec() {
        return newcomer.hold().spec();
    }
}
