package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Timeline;
import java.util.List;

/** A rule that must hold on every timeline, whatever was done to the processes. */
public interface Checker {

    /** What breaks the rule; nothing if it holds. */
    List<Violation> violations(Timeline timeline);

    /** Those that judge each grant by itself, and hold on a timeline that breaks off, too. */
    static List<Checker> ofGrants() {
        return List.of(new K1Overlap(), new K2Tokens(), new K5Seats());
    }

    /** All rules. */
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
