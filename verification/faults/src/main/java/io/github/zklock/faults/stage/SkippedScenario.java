package io.github.zklock.faults.stage;

/** Says that a scenario cannot be played on this machine, why, and what would help. */
public final class SkippedScenario extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SkippedScenario(String reason) {
        super(reason);
    }
}
