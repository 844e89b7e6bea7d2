package io.github.zklock.benchmarks;

/** Threads that compute until they are closed, as other programs on a busy machine do. */
final class BusyThreads implements AutoCloseable {

    private volatile boolean closed;

    BusyThreads(int number) {
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(this::compute, "busy-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void compute() {
        while (!closed) {
            // reading the flag is enough work for a processor
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
