package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/** What all checkers say of a timeline, and whether enough happened on it for that to mean anything. */
final class Verdict {

    private static final int SHOWN = 10;

    private final List<String> violations = new ArrayList<>();
    private final int grants;
    private final int handOvers;
    private final int together;
    private final int losses;
    private final int faults;

    Verdict(Floors floors, Timeline timeline) {
        List<Hold> holds = timeline.holds();
        grants = holds.size();
        handOvers = handOvers(holds);
        together = Company.on(timeline).stream().mapToInt(Company::size).max().orElse(0);
        losses = (int) holds.stream()
                .filter(hold -> hold.lostAt().isPresent() || hold.closedAsLost())
                .count();
        faults = (int) timeline.count(event -> event.kind().isFault());

        Checker.all().forEach(checker -> violations.addAll(checker.violations(timeline)));
        timeline.events().stream()
                .filter(event -> event.is(Kind.FAILED))
                .forEach(event -> violations.add("Unexpected: " + event));
        atLeast("grants", floors.grants(), grants);
        atLeast("hand-overs", floors.handOvers(), handOvers);
        atLeast("together", floors.together(), together);
        atLeast("losses told", floors.losses(), losses);
        atLeast("faults", floors.faults(), faults);
    }

    boolean passed() {
        return violations.isEmpty();
    }

    /** The violations, or as many as anybody reads. */
    String describe() {
        List<String> shown = violations.subList(0, Math.min(violations.size(), SHOWN));
        return String.join("\n", shown) + (shown.size() < violations.size() ? "\n... of " + violations.size() : "");
    }

    @Override
    public String toString() {
        return "%s, %d grants, %d hand-overs, %d together, %d losses told, %d faults"
                .formatted(passed() ? "passed" : "FAILED", grants, handOvers, together, losses, faults);
    }

    private void atLeast(String what, int floor, int count) {
        if (count < floor) {
            violations.add("Hollow: %d %s, fewer than %d".formatted(count, what, floor));
        }
    }

    private static int handOvers(List<Hold> holds) {
        int changes = 0;
        for (int i = 1; i < holds.size(); i++) {
            if (!holds.get(i).source().equals(holds.get(i - 1).source())) {
                changes++;
            }
        }
        return changes;
    }
}
