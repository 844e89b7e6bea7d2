package io.github.zklock.faults.client;

import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A thread that only sleeps and counts, and reports when it was delayed: then the whole process was. */
final class StallDetector implements Runnable {

    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final Duration LATE = Duration.ofMillis(25);

    private final String source;

    private StallDetector(String source) {
        this.source = source;
    }

    static void start(String source) {
        DaemonThreads.start("stall-detector", new StallDetector(source));
    }

    @Override
    public void run() {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(this, PERIOD.toNanos());
            long now = System.nanoTime();
            if (now - last > LATE.toNanos()) {
                System.out.println(Event.of(source, now, Kind.STALLED, "nanos", now - last));
            }
            last = now;
        }
    }
}
