package io.github.zklock.faults.context;

/** Reports that a scenario cannot run on this machine, and what to install. */
public final class ScenarioSkippedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScenarioSkippedException(String reason) {
        super(reason);
    }
}
