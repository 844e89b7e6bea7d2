package com.example.ordershop.demo.process;

/** Receives the progress of a scenario. Implementations are thread-safe. */
public interface ProgressListener {

    /** Reports one event as a line of text. */
    void line(String text);

    /** Reports that so many of so many orders are completed. */
    void progress(int done, int total);
}
