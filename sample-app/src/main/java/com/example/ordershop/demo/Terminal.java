package com.example.ordershop.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/** Who watches on the command line: lines with the seconds since the beginning, and on a terminal a count of orders. */
final class Terminal implements Audience {

    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean interactive;
    private final long begin = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock(); // guards: out, counting
    private boolean counting;

    /** @param interactive whether a line can be written over */
    Terminal(PrintStream out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    @Override
    public void line(String text) {
        say("[%6.1f s] %s".formatted((System.nanoTime() - begin) / 1e9, text));
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

    /** A line as it is. */
    void say(String text) {
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
