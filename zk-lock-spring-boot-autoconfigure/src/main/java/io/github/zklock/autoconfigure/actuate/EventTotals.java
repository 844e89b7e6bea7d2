package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a registry has done since this listener was added: totals, the latest deadlocks, and the locks for which this
 * process has waited longest. The memory for the latter is bounded ("space-saving"): if there are more names than places,
 * the name with the shortest wait passes its place to a new one, and its wait as a possible error. A lock that causes more
 * than a hundredth of all waiting is always among them.
 *
 * <p>Not guaranteed: each event. If events arrive faster than the listener handles them, some are dropped.
 */
final class EventTotals implements LockListener {

    /** The number of reported locks, and of reported deadlocks. */
    private static final int REPORTED = 10;

    private static final int PLACES = 100;

    /** Shorter waits are those of the servers for the request of a free lock. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    /** @param error the part of the wait that may be that of former names */
    private record Waits(Duration waited, Duration error, long acquired, long timedOut) {

        Duration known() {
            return waited.minus(error);
        }

        Waits plus(Duration wait, boolean timeout) {
            return new Waits(waited.plus(wait), error, acquired + (timeout ? 0 : 1), timedOut + (timeout ? 1 : 0));
        }
    }

    // guards all that follows
    private final ReentrantLock lock = new ReentrantLock();

    private long acquired;
    private Duration waited = Duration.ZERO;
    private long released;
    private Duration held = Duration.ZERO;
    private long timedOut;
    private long unavailable;
    private long lost;
    private final Map<String, Waits> waits = new HashMap<>();
    private final Deque<LocksReport.Deadlock> deadlocks = new ArrayDeque<>();

    @Override
    public void onEvent(LockEvent event) {
        lock.lock();
        try {
            record(event);
        } finally {
            lock.unlock();
        }
    }

    private void record(LockEvent event) {
        if (event instanceof LockEvent.Acquired grant) {
            acquired++;
            waited = waited.plus(grant.waited());
            record(event.name().value(), grant.waited(), false);
        } else if (event instanceof LockEvent.Released end) {
            released++;
            held = held.plus(end.held());
        } else if (event instanceof LockEvent.TimedOut end) {
            timedOut++;
            record(event.name().value(), end.waited(), true);
        } else if (event instanceof LockEvent.Unavailable) {
            unavailable++;
        } else if (event instanceof LockEvent.Lost) {
            lost++;
        } else if (event instanceof LockEvent.Deadlocked found) {
            deadlocks.addFirst(new LocksReport.Deadlock(
                    found.name().value(), Texts.of(Instant.now()), found.requests(), found.rejected()));
            if (deadlocks.size() > REPORTED) {
                deadlocks.removeLast();
            }
        }
    }

    private void record(String name, Duration wait, boolean timeout) {
        if (wait.compareTo(SHORTEST) < 0) {
            return;
        }
        Duration inherited = Duration.ZERO;
        if (waits.size() == PLACES && !waits.containsKey(name)) {
            Map.Entry<String, Waits> least = waits.entrySet().stream()
                    .min(Comparator.comparing(each -> each.getValue().waited()))
                    .orElseThrow();
            inherited = least.getValue().waited();
            waits.remove(least.getKey());
        }
        waits.put(
                name,
                waits.getOrDefault(name, new Waits(inherited, inherited, 0, 0)).plus(wait, timeout));
    }

    LocksReport.Totals totals() {
        lock.lock();
        try {
            return new LocksReport.Totals(
                    acquired, Texts.of(waited), released, Texts.of(held), timedOut, unavailable, lost);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the latest deadlocks, the latest first. */
    List<LocksReport.Deadlock> deadlocks() {
        lock.lock();
        try {
            return List.copyOf(deadlocks);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the locks with the longest waits, the longest first. */
    List<LocksReport.Hot> hot() {
        lock.lock();
        try {
            return waits.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<String, Waits> each) ->
                                    each.getValue().known())
                            .reversed()
                            .thenComparing(Map.Entry::getKey))
                    .limit(REPORTED)
                    .map(each -> new LocksReport.Hot(
                            each.getKey(),
                            Texts.of(each.getValue().known()),
                            each.getValue().acquired(),
                            each.getValue().timedOut()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
