package io.github.zklock.faults;

import io.github.zklock.faults.Hold.Belief;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** No two holders believe in an exclusive lock at the same time. */
final class K1Overlap implements Checker {

    @Override
    public List<String> violations(Timeline timeline) {
        List<Belief> beliefs = timeline.holds().stream()
                .flatMap(hold -> hold.beliefs().stream())
                .sorted(Comparator.comparingLong(Belief::from))
                .toList();
        List<String> found = new ArrayList<>();
        @Nullable Belief longest = null;
        for (Belief belief : beliefs) {
            if (longest != null && belief.from() < longest.until()) {
                long overlap = Math.min(longest.until(), belief.until()) - belief.from();
                found.add("K1: %s and %s both believe in the lock for %.3f ms from %d"
                        .formatted(longest.hold(), belief.hold(), overlap / 1e6, belief.from()));
            }
            if (longest == null || belief.until() > longest.until()) {
                longest = belief;
            }
        }
        return found;
    }
}
