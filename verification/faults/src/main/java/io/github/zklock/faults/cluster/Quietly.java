package io.github.zklock.faults.cluster;

/** The end of what is no longer needed, whatever state it is in. */
public final class Quietly {

    private Quietly() {}

    public static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // it is gone, which is what was wanted
        }
    }
}
