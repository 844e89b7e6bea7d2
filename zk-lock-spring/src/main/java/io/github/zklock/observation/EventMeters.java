package io.github.zklock.observation;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Timers and counters of the events of one registry.
 *
 * <p>Not guaranteed: a count for each event. If events arrive faster than they are recorded, the registry drops some.
 */
final class EventMeters implements LockListener {

    private final MeterRegistry meters;
    private final Tags registry;
    private final LockGroups groups;
    private final Map<String, Group> byGroup = new ConcurrentHashMap<>();

    EventMeters(MeterRegistry meters, String registry, LockGroups groups) {
        this.meters = meters;
        this.registry = Tags.of("registry", registry);
        this.groups = groups;
        // register all meters now: a rate can show the first loss only if the counter exists before it
        groups.all().forEach(this::group);
    }

    @Override
    public void onEvent(LockEvent event) {
        Group group = group(groups.of(event.name()));
        if (event instanceof LockEvent.Acquired acquired) {
            group.acquired.record(acquired.waited());
            (acquired.keptSeat() ? group.keptSeats : group.newSeats).increment();
        } else if (event instanceof LockEvent.Released released) {
            group.holds.record(released.held());
        } else if (event instanceof LockEvent.TimedOut timedOut) {
            group.timedOut.record(timedOut.waited());
        } else if (event instanceof LockEvent.Unavailable unavailable) {
            group.unavailable.record(unavailable.waited());
        } else if (event instanceof LockEvent.Suspended) {
            group.suspensions.increment();
        } else if (event instanceof LockEvent.Lost) {
            group.losses.increment();
        } else if (event instanceof LockEvent.HeldLong) {
            group.longHolds.increment();
        } else if (event instanceof LockEvent.Leaked) {
            group.leaks.increment();
        } else if (event instanceof LockEvent.Deadlocked) {
            group.deadlocks.increment();
        }
    }

    private Group group(String name) {
        return byGroup.computeIfAbsent(name, key -> new Group(meters, registry.and("lock", key)));
    }

    /** The meters of one group of locks. */
    private static final class Group {

        final Timer acquired;
        final Timer timedOut;
        final Timer unavailable;
        final Timer holds;
        final Counter losses;
        final Counter suspensions;
        final Counter longHolds;
        final Counter leaks;
        final Counter deadlocks;
        final Counter newSeats;
        final Counter keptSeats;

        Group(MeterRegistry meters, Tags tags) {
            acquired = timer(meters, LockMeter.ACQUISITIONS, tags.and("outcome", "acquired"));
            timedOut = timer(meters, LockMeter.ACQUISITIONS, tags.and("outcome", "timeout"));
            unavailable = timer(meters, LockMeter.ACQUISITIONS, tags.and("outcome", "unavailable"));
            holds = timer(meters, LockMeter.HOLDS, tags);
            losses = counter(meters, LockMeter.LOSSES, tags);
            suspensions = counter(meters, LockMeter.SUSPENSIONS, tags);
            longHolds = counter(meters, LockMeter.LONG_HOLDS, tags);
            leaks = counter(meters, LockMeter.LEAKS, tags);
            deadlocks = counter(meters, LockMeter.DEADLOCKS, tags);
            newSeats = counter(meters, LockMeter.TURNS, tags.and("seat", "new"));
            keptSeats = counter(meters, LockMeter.TURNS, tags.and("seat", "kept"));
        }

        private static Timer timer(MeterRegistry meters, LockMeter meter, Tags tags) {
            return Timer.builder(meter.key)
                    .description(meter.description)
                    .tags(tags)
                    .register(meters);
        }

        private static Counter counter(MeterRegistry meters, LockMeter meter, Tags tags) {
            return Counter.builder(meter.key)
                    .description(meter.description)
                    .tags(tags)
                    .register(meters);
        }
    }
}
