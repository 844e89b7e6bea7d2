package io.github.zklock.faults;

import java.util.List;

/** A rule that must hold on every timeline, whatever was done to the processes. */
interface Checker {

    /** What breaks the rule; nothing if it holds. */
    List<String> violations(Timeline timeline);

    /** All rules. */
    static List<Checker> all() {
        return List.of(new K1Overlap(), new K2Tokens(), new K5Seats(), new K6Honesty());
    }
}
