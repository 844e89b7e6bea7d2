package io.github.zklock.faults.cluster;

/** Starts daemon threads. */
public final class DaemonThreads {

    private DaemonThreads() {}

    public static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
