package com.example.ordershop.demo;

/** Who watches a demonstration. Thread-safe. */
interface Audience {

    /** Something has happened. */
    void line(String text);

    /** So many of so many orders are done. */
    void progress(int done, int total);
}
