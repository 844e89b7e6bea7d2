package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/** The judgement of one timeline by a rule that every timeline must satisfy, whatever faults occurred. */
public abstract class Checker {

    final Timeline timeline;
    final FaultIntervals faults;
    final Tolerances tolerances;
    final List<Violation> found = new ArrayList<>();

    Checker(Timeline timeline) {
        this.timeline = timeline;
        this.faults = FaultIntervals.on(timeline);
        this.tolerances = new Tolerances(timeline);
    }

    /** Returns the rules that judge each grant by itself, and therefore also hold on an incomplete timeline. */
    static List<Checker> ofGrants(Timeline timeline) {
        return List.of(new K1Overlap(timeline), new K2Tokens(timeline), new K5Seats(timeline));
    }

    static List<Checker> all(Timeline timeline) {
        return List.of(
                new K1Overlap(timeline),
                new K2Tokens(timeline),
                new K3FencedWrites(timeline),
                new K4PlainWrites(timeline),
                new K5Seats(timeline),
                new K6LossReporting(timeline),
                new K7Progress(timeline),
                new K8Cleanliness(timeline),
                new K9Contract(timeline),
                new K9Handles(timeline));
    }

    /** Returns where the timeline breaks the rule. Called once. */
    public final List<Violation> violations() {
        check();
        return found;
    }

    /** Looks for violations, and reports each. */
    abstract void check();

    /** @param at the instant at which the violation shows */
    @SuppressWarnings("AnnotateFormatMethod") // needs a library of annotations
    final void report(long at, String text, Object... values) {
        found.add(new Violation(at, text.formatted(values)));
    }
}
