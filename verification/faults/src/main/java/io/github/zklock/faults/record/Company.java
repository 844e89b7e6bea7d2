package io.github.zklock.faults.record;

import io.github.zklock.faults.record.Hold.Belief;
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
public record Company(Belief newcomer, List<Belief> present) {

    /** All such moments around each lock, in order of time. */
    public static List<Company> on(Timeline timeline) {
        Map<String, List<Belief>> byLock = timeline.holds().stream()
                .flatMap(hold -> hold.beliefs().stream())
                .sorted(Comparator.comparingLong(Belief::from))
                .collect(Collectors.groupingBy(belief -> belief.hold().wish().lock()));
        return byLock.values().stream()
                .flatMap(beliefs -> of(beliefs).stream())
                .sorted(Comparator.comparingLong(company -> company.newcomer().from()))
                .toList();
    }

    private static List<Company> of(List<Belief> beliefs) {
        List<Company> companies = new ArrayList<>();
        List<Belief> present = new ArrayList<>();
        for (Belief belief : beliefs) {
            present.removeIf(other -> other.until() <= belief.from());
            companies.add(new Company(belief, List.copyOf(present)));
            present.add(belief);
        }
        return companies;
    }

    /** The same moment without some of those present. */
    public Company without(Predicate<Belief> absent) {
        return new Company(newcomer, present.stream().filter(absent.negate()).toList());
    }

    /** Those present beside whom the newcomer may not be, each taken alone. */
    public List<Belief> rivals() {
        return present.stream()
                .filter(other -> !wish().fitsBeside(List.of(other.hold().wish())))
                .toList();
    }

    /** Whether the newcomer may be beside all of them together. */
    public boolean fits() {
        return wish().fitsBeside(
                        present.stream().map(other -> other.hold().wish()).toList());
    }

    /** How many there are together, each with the number of his permits. */
    public int size() {
        return wish().permits()
                + present.stream()
                        .mapToInt(other -> other.hold().wish().permits())
                        .sum();
    }

    private Wish wish() {
        return newcomer.hold().wish();
    }
}
