package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Timeline;
import java.util.List;

/** A rule that every timeline must satisfy, whatever faults occurred. */
public interface Checker {

    /** Returns where the timeline breaks the rule. */
    List<Violation> violations(Timeline timeline);

    /** Returns the rules that judge each grant by itself, and therefore also hold on an incomplete timeline. */
    static List<Checker> ofGrants() {
        return List.of(new K1Overlap(), new K2Tokens(), new K5Seats());
    }

    static List<Checker> all() {
        return List.of(
                new K1Overlap(),
                new K2Tokens(),
                new K3FencedWrites(),
                new K4PlainWrites(),
                new K5Seats(),
                new K6LossReporting(),
                new K7Progress(),
                new K8Cleanliness(),
                new K9Contract());
    }
}
