package io.github.zklock.faults.cluster;

/** Closes resources without exceptions. */
public final class Quietly {

    private Quietly() {}

    public static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // closed as far as possible
        }
    }
}
