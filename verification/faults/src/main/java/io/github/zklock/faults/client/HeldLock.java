package io.github.zklock.faults.client;

/** What a holder can ask its lock, or a leader its leadership. */
public interface HeldLock {

    boolean isHeld();

    /** Returns for how long the lock will be held at least; without such a statement, until the next question. */
    default long remainingNanos() {
        return 2 * HoldReport.BETWEEN_SAMPLES_NANOS;
    }

    String state();

    /** Returns whether the engine regards the lock as lost for good. */
    boolean isLost();

    /** Returns a number that increases from grant to grant; 0 if the engine has none. */
    default long token() {
        return 0;
    }

    /** Returns the path of the seat; empty if the token identifies the seat. */
    String node();

    /** Runs the work in the scope of the lock, if the engine has scopes: it is notified of nested calls. */
    default void inScope(Runnable work) {
        work.run();
    }

    void onLost(Runnable listener);

    /**
     * Registers listeners for the outcome of the release, for engines that report it: seen by the servers, or unknown.
     */
    default void onReleased(Runnable seen, Runnable unseen) {}
}
