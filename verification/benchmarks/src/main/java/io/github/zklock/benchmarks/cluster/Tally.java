package io.github.zklock.benchmarks.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts what goes by in one direction, on all connections. */
final class Tally {

    private final LongAdder requests = new LongAdder();
    private final LongAdder pings = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(Message message, int length) {
        switch (message) {
            case REQUEST -> requests.increment();
            case EVENT -> events.increment();
            case PING -> {
                pings.increment();
                return;
            }
            case GREETING -> {
                return;
            }
        }
        bytes.add(length);
    }

    long requests() {
        return requests.sum();
    }

    long pings() {
        return pings.sum();
    }

    long events() {
        return events.sum();
    }

    long bytes() {
        return bytes.sum();
    }
}
