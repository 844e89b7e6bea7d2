package com.example.ordershop.demo;

import com.example.ordershop.demo.process.ProgressListener;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/** Prints progress on the command line: lines with the seconds since the start, and on a terminal a counter of orders. */
final class TerminalOutput implements ProgressListener {

    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean interactive;
    private final long begin = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock(); // guards: out, counting
    private boolean counting;

    /** @param interactive whether the output is a terminal, where a line can be overwritten */
    TerminalOutput(PrintStream out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    @Override
    public void line(String text) {
        print("[%6.1f s] %s".formatted((System.nanoTime() - begin) / 1e9, text));
    }

    @Override
    public void progress(int done, int total) {
        if (interactive) {
            lock.lock();
            try {
                out.print(ERASE_LINE + String.format(Locale.ROOT, "           %d of %d orders", done, total));
                out.flush();
                counting = true;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Prints a line without a time. */
    void print(String text) {
        lock.lock();
        try {
            if (counting) {
                out.print(ERASE_LINE);
                counting = false;
            }
            out.println(text);
        } finally {
            lock.unlock();
        }
    }
}
