package io.github.zklock.faults.client;

/** How a call for a lock ended. */
public record Answer(Outcome outcome, String message) {

    /** What became of it. */
    public enum Outcome {
        /** The work was done, and the lock given back. */
        GIVEN_BACK,
        /** The work was done, and the release said that the lock had been lost. */
        LOST,
        /** The work failed, which the caller was told; the lock was given back. */
        THREW,
        /** A trying call found it taken. */
        EMPTY,
        /** The time was over, and the servers were there. */
        TIMEOUT,
        /** The time was over, and the servers were not to be reached. */
        UNAVAILABLE,
        /** There is nothing to take locks from any more. */
        REFUSED
    }

    static Answer of(Outcome outcome) {
        return new Answer(outcome, "");
    }

    static Answer of(Outcome outcome, Throwable why) {
        return new Answer(outcome, String.valueOf(why.getMessage()));
    }
}
