package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of a registry.
 *
 * <p>Not guaranteed: a count for each event. If events arrive faster than the listener handles them, some are dropped.
 */
final class EventTotals implements LockListener {

    private final LongAdder acquired = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder heldNanos = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private final LongAdder lost = new LongAdder();

    @Override
    public void onEvent(LockEvent event) {
        if (event instanceof LockEvent.Acquired grant) {
            acquired.increment();
            waitedNanos.add(grant.waited().toNanos());
        } else if (event instanceof LockEvent.Released end) {
            released.increment();
            heldNanos.add(end.held().toNanos());
        } else if (event instanceof LockEvent.TimedOut) {
            timedOut.increment();
        } else if (event instanceof LockEvent.Unavailable) {
            unavailable.increment();
        } else if (event instanceof LockEvent.Lost) {
            lost.increment();
        }
    }

    LocksReport.Totals report() {
        return new LocksReport.Totals(
                acquired.sum(),
                Texts.of(Duration.ofNanos(waitedNanos.sum())),
                released.sum(),
                Texts.of(Duration.ofNanos(heldNanos.sum())),
                timedOut.sum(),
                unavailable.sum(),
                lost.sum());
    }
}
