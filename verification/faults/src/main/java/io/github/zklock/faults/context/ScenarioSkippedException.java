package io.github.zklock.faults.context;

/** Says that a scenario cannot be played on this machine, why, and what would help. */
public final class ScenarioSkippedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScenarioSkippedException(String reason) {
        super(reason);
    }
}
