package io.github.zklock.zookeeper.internal.engine;

/** What a simulated client runs in: a process, which may be stopped for a while. */
interface SimHost {

    /** Runs this in the process: now, or when it goes on. */
    void enter(Runnable action);

    /** As {@link #enter}, but when it goes on, this may come before what arrived earlier. */
    void enterFirst(Runnable action);

    /** The process's monotonic clock. */
    long nanoTime();

    /** The process's wall clock. */
    long wallNanos();

    /** Whether others use the client too. */
    boolean sharesClient();

    /** Whether the network does not reach any server. */
    boolean isIsolated();

    /** The connection or the session has changed. */
    void changed(SimClient client);

    /** A request is about to be sent: what goes wrong with it. */
    SimTrouble sending(SimClient client, SimRequest request);
}
