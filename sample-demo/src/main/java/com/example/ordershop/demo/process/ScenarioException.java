package com.example.ordershop.demo.process;

/** A scenario cannot continue. The message names the process, the failed step and the last output of the process. */
public final class ScenarioException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ScenarioException(String message) {
        super(message);
    }

    public ScenarioException(String message, Throwable cause) {
        super(message, cause);
    }
}
