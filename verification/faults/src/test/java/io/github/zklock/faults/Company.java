package io.github.zklock.faults;

import io.github.zklock.faults.Hold.Belief;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The moment at which somebody begins to believe in the lock.
 *
 * @param present those who believe in it at that moment
 */
record Company(Belief newcomer, List<Belief> present) {

    /** All such moments, in order of time. */
    static List<Company> on(Timeline timeline) {
        List<Belief> beliefs = timeline.holds().stream()
                .flatMap(hold -> hold.beliefs().stream())
                .sorted(Comparator.comparingLong(Belief::from))
                .toList();
        List<Company> companies = new ArrayList<>();
        List<Belief> present = new ArrayList<>();
        for (Belief belief : beliefs) {
            present.removeIf(other -> other.until() <= belief.from());
            companies.add(new Company(belief, List.copyOf(present)));
            present.add(belief);
        }
        return companies;
    }

    /** Those present beside whom the newcomer may not be, each taken alone. */
    List<Belief> rivals() {
        return present.stream()
                .filter(other -> !wish().fitsBeside(List.of(other.hold().wish())))
                .toList();
    }

    /** Whether the newcomer may be beside all of them together. */
    boolean fits() {
        return wish().fitsBeside(
                        present.stream().map(other -> other.hold().wish()).toList());
    }

    /** How many there are together, each with the number of his permits. */
    int size() {
        return wish().permits()
                + present.stream()
                        .mapToInt(other -> other.hold().wish().permits())
                        .sum();
    }

    private Wish wish() {
        return newcomer.hold().wish();
    }
}
