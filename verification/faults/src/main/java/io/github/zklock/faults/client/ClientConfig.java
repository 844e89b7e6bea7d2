package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;

/**
 * The configuration of a client process, and the output on which it reports its events.
 *
 * @param instance its name
 */
record ClientConfig(String connectString, String basePath, Duration sessionTimeout, String instance) {

    void report(Kind kind) {
        report(Event.of(instance, System.nanoTime(), kind));
    }

    /** Reports an event of this instant; {@link Event#of} describes the fields. */
    void report(Kind kind, String keys, Object... values) {
        report(Event.of(instance, System.nanoTime(), kind, keys, values));
    }

    void report(Event event) {
        System.out.println(event);
    }
}
