package io.github.zklock.benchmarks.load;

/** What is measured, with its heading in tables. "Each" means each turn, try or hand-over. */
public enum Figure {
    /** Turns, tries or names. */
    RATE("per second"),

    /** The lowest and the highest rate of a process, divided by the average of all. */
    LEAST_SHARE("least share of a process"),
    MOST_SHARE("greatest share"),

    /** Of the waits. */
    MEDIAN("median, µs"),
    P99("99 %, µs"),
    TAIL("99.9 % / median"),

    REQUESTS("requests each"),
    EVENTS("watch events each"),
    BYTES("bytes each"),

    /** The events of the hand-over with most, and of that with least. */
    MOST_EVENTS("watch events at most"),
    LEAST_EVENTS("watch events at least"),

    CPU_EACH("CPU each, µs"),
    CPU_SERVERS("of it the servers', µs"),
    CPU_CLIENTS("clients' CPU, µs"),

    /** While locks are only held. */
    REQUESTS_PER_SECOND("requests per second"),
    BYTES_PER_SECOND("bytes per second"),
    CPU("CPU, ms per second"),

    /** After all names were used. */
    LEFT("nodes left"),
    HEAP_GROWTH("heap after / before"),

    /** Of many waiters. */
    BYTES_FOR_EACH("heap for each, bytes"),
    SEATS("seats at the servers"),
    DRAIN_SECONDS("all had it after, s"),

    MILLIS("ms"),
    NANOS("ns"),
    ALLOCATED("bytes allocated"),

    /** The number of turns, tries or hand-overs. */
    COUNT("count"),

    /** The duration of a round that determines it. */
    SECONDS("s"),

    /** The time that the process spent compiling. */
    COMPILING("compiling, ms per second");

    private final String heading;

    Figure(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }
}
