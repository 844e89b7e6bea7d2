package io.github.zklock.benchmarks.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts the messages in one direction, on all connections. */
final class TrafficCounter {

    private final LongAdder requests = new LongAdder();
    private final LongAdder pings = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(MessageKind message, int length) {
        switch (message) {
            case REQUEST -> requests.increment();
            case EVENT -> events.increment();
            case PING -> {
                pings.increment();
                return;
            }
            case CONNECT -> {
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
