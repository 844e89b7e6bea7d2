package io.github.zklock.faults.rig;

/** Threads that keep no process alive. */
public final class Daemon {

    private Daemon() {}

    public static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }
}
