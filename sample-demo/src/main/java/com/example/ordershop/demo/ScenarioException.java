package com.example.ordershop.demo;

/** A scenario cannot continue. The message names the process, the failed step and the last output of the process. */
final class ScenarioException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScenarioException(String message) {
        super(message);
    }

    ScenarioException(String message, Throwable cause) {
        super(message, cause);
    }
}
