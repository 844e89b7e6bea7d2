package com.example.ordershop.demo;

/** Receives the progress of a scenario. Implementations are thread-safe. */
interface ProgressListener {

    /** Reports one event as a line of text. */
    void line(String text);

    /** Reports that so many of so many orders are completed. */
    void progress(int done, int total);
}
