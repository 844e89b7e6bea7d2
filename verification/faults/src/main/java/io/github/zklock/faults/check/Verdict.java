package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.ConcurrentHolders;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The violations of all rules on a timeline, and whether enough happened on it to be conclusive. */
public final class Verdict {

    private static final int SHOWN = 10;

    private final List<Violation> violations = new ArrayList<>();
    private final Map<Count, Integer> counts;
    private final List<String> figures;

    /** @param minimums the least number of events of each kind for a scenario run to be conclusive */
    public Verdict(Map<Count, Integer> minimums, Timeline timeline) {
        this(Checker.all(timeline), minimums, timeline);
    }

    private Verdict(List<Checker> checkers, Map<Count, Integer> minimums, Timeline timeline) {
        counts = count(timeline);
        figures = timeline.events(Kind.MEASURED).stream().map(Verdict::inWords).toList();
        timeline.events(Kind.HARMED)
                .forEach(event -> violations.add(new Violation(event.at(), "Load: " + inWords(event.text("what")))));
        checkers.forEach(checker -> violations.addAll(checker.violations()));
        timeline.events(Kind.FAILED)
                .forEach(event -> violations.add(new Violation(event.at(), "Unexpected: " + event)));
        for (Count count : Count.values()) {
            int found = counts.getOrDefault(count, 0);
            int minimum = minimums.getOrDefault(count, 0);
            if (found < minimum) {
                String text = "Inconclusive: %d %s, fewer than %d".formatted(found, count, minimum);
                violations.add(new Violation(0, text));
            }
        }
    }

    /** Judges an incomplete timeline. */
    public static Verdict ofPart(Timeline timeline) {
        return new Verdict(Checker.ofGrants(timeline), Map.of(), timeline);
    }

    public boolean passed() {
        return violations.isEmpty();
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Returns the first violations, one a line. */
    public String describe() {
        List<Violation> shown = violations.subList(0, Math.min(violations.size(), SHOWN));
        return shown.stream().map(Violation::text).collect(Collectors.joining("\n"))
                + (shown.size() < violations.size() ? "\n... of " + violations.size() : "");
    }

    public Map<Count, Integer> counts() {
        return counts;
    }

    /** Returns the figures that the scenario has measured, one line for each measurement. */
    public List<String> figures() {
        return figures;
    }

    private static String inWords(Event measured) {
        String fields = measured.fields().entrySet().stream()
                .map(field -> field.getKey() + " " + field.getValue())
                .collect(Collectors.joining(", "));
        return measured.source() + ": " + inWords(fields);
    }

    /** Returns a text as it was before it became part of an event. */
    private static String inWords(String text) {
        return text.replace('_', ' ');
    }

    public static String inWords(Map<Count, Integer> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    private static Map<Count, Integer> count(Timeline timeline) {
        List<Hold> holds = timeline.holds();
        Map<Count, Integer> counts = new EnumMap<>(Count.class);
        counts.put(Count.GRANTS, holds.size());
        counts.put(Count.HAND_OVERS, handOvers(holds));
        counts.put(
                Count.TOGETHER,
                ConcurrentHolders.on(timeline).stream()
                        .mapToInt(ConcurrentHolders::size)
                        .max()
                        .orElse(0));
        counts.put(Count.LOSSES, (int) holds.stream()
                .filter(hold -> hold.lostAt().isPresent() || hold.closedAsLost())
                .count());
        List<RegisterWrite> updates = timeline.registerWrites();
        counts.put(Count.UPDATES, (int)
                updates.stream().filter(RegisterWrite::fenced).count());
        counts.put(Count.REFUSED, (int)
                updates.stream().filter(RegisterWrite::refused).count());
        counts.put(Count.FAULTS, (int) timeline.count(event -> event.kind().isFault()));
        return counts;
    }

    /** Returns how often a lock changed from one process to another. */
    private static int handOvers(List<Hold> holds) {
        return holds.stream().collect(Collectors.groupingBy(hold -> hold.spec().lock())).values().stream()
                .mapToInt(Verdict::changes)
                .sum();
    }

    private static int changes(List<Hold> holds) {
        int changes = 0;
        for (int i = 1; i < holds.size(); i++) {
            if (!holds.get(i).source().equals(holds.get(i - 1).source())) {
                changes++;
            }
        }
        return changes;
    }
}
