package io.github.zklock.faults.context;

/** Reports that a scenario cannot run on this machine, and what to install, or that a library has nothing to run in it. */
public final class ScenarioSkippedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ScenarioSkippedException(String reason) {
        super(reason);
    }
}
