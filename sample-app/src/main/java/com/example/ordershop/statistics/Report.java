package com.example.ordershop.statistics;

import java.time.LocalDate;
import java.util.List;

/** All sales ever: those of closed days, and those that are still running. */
record Report(List<ClosedDay> closed, Totals running) {

    /** The read/write lock of the report: any number read it at once, unless a day is being closed. */
    static final String LOCK = "/report";

    record ClosedDay(LocalDate day, long orders, long amountCents) {}
}
