package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The locks for which this process has waited longest, with a bounded memory ("space-saving"). If there are more names
 * than places, the name with the shortest wait passes its place to a new one, and its wait as a possible error. A lock
 * that causes more than a hundredth of all waiting is always among them.
 *
 * <p>Not guaranteed: each event. If events arrive faster than the listener handles them, some are dropped.
 */
final class HotLocks implements LockListener {

    /** The number of reported locks. */
    static final int REPORTED = 10;

    private static final int PLACES = 100;

    /** Shorter waits are those of the servers for the request of a free lock. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    /** @param error the part of the wait that may be that of former names */
    private record Waits(long nanos, long error, long acquired, long timedOut) {

        Waits plus(long wait, boolean timeout) {
            return new Waits(nanos + wait, error, acquired + (timeout ? 0 : 1), timedOut + (timeout ? 1 : 0));
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Waits> byName = new HashMap<>();

    @Override
    public void onEvent(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired) {
            add(event.name().value(), acquired.waited(), false);
        } else if (event instanceof LockEvent.TimedOut timedOut) {
            add(event.name().value(), timedOut.waited(), true);
        }
    }

    private void add(String name, Duration wait, boolean timeout) {
        if (wait.compareTo(SHORTEST) < 0) {
            return;
        }
        lock.lock();
        try {
            Waits before = byName.get(name);
            if (before == null) {
                before = new Waits(0, 0, 0, 0);
                if (byName.size() == PLACES) {
                    Map.Entry<String, Waits> least = byName.entrySet().stream()
                            .min(Comparator.comparingLong(
                                    each -> each.getValue().nanos()))
                            .orElseThrow();
                    long inherited = least.getValue().nanos();
                    byName.remove(least.getKey());
                    before = new Waits(inherited, inherited, 0, 0);
                }
            }
            byName.put(name, before.plus(wait.toNanos(), timeout));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the locks with the longest waits, the longest first. */
    List<LocksReport.Hot> report() {
        lock.lock();
        try {
            return byName.entrySet().stream()
                    .sorted(Comparator.<Map.Entry<String, Waits>>comparingLong(each ->
                                    each.getValue().nanos() - each.getValue().error())
                            .reversed()
                            .thenComparing(Map.Entry::getKey))
                    .limit(REPORTED)
                    .map(each -> report(each.getKey(), Objects.requireNonNull(each.getValue())))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static LocksReport.Hot report(String name, Waits waits) {
        return new LocksReport.Hot(
                name, Texts.of(Duration.ofNanos(waits.nanos() - waits.error())), waits.acquired(), waits.timedOut());
    }
}
