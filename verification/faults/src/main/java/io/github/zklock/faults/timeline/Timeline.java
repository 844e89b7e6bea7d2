package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/** All events of all processes of a scenario run. Thread-safe. */
public final class Timeline {

    /** The name of our engine. */
    public static final String OURS = "zklock";

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** A client reconnects within a second, and is answered. */
    private static final Duration UNTIL_ANSWERED = Duration.ofMillis(1_500);

    // guards: events, seats, replayed
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final List<Event> events = new ArrayList<>();
    /** After this many events, or null. Several rules judge the seats, and to replay the queues takes long. */
    private @Nullable Seats seats;

    private int replayed;

    /** Adds an event, and returns it. */
    public Event add(Event event) {
        lock.lock();
        try {
            events.add(event);
            more.signalAll();
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Returns all events so far, in order of time. */
    public List<Event> events() {
        lock.lock();
        try {
            return events.stream().sorted(Comparator.comparingLong(Event::at)).toList();
        } finally {
            lock.unlock();
        }
    }

    public Event await(String what, long after, Predicate<Event> matching) {
        lock.lock();
        try {
            long left = MAX_WAIT.toNanos();
            int seen = 0;
            while (true) {
                for (; seen < events.size(); seen++) {
                    Event event = events.get(seen);
                    if (event.at() - after > 0 && matching.test(event)) {
                        return event;
                    }
                    if (event.is(Kind.FAILED)) {
                        // the missing event is not the cause
                        throw new AssertionError("Unexpected: " + event);
                    }
                }
                if (left <= 0) {
                    throw new AssertionError("No " + what + " within " + MAX_WAIT);
                }
                left = more.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for " + what, e);
        } finally {
            lock.unlock();
        }
    }

    /** Returns all events of this kind so far, in order of time. */
    public List<Event> events(Kind kind) {
        return events().stream().filter(event -> event.is(kind)).toList();
    }

    public long count(Predicate<Event> matching) {
        return events().stream().filter(matching).count();
    }

    /** Returns whether there is such an event of a process after an instant. */
    public boolean has(Kind kind, String source, long after) {
        return has(kind, source, after, Long.MAX_VALUE);
    }

    /** Returns whether there is such an event of a process between two instants. */
    public boolean has(Kind kind, String source, long after, long before) {
        return count(event -> event.is(kind, source) && event.at() > after && event.at() < before) > 0;
    }

    /** Returns the seats that all events so far have made. */
    public Seats seats() {
        lock.lock();
        try {
            if (seats == null || replayed < events.size()) {
                seats = Seats.of(events());
                replayed = events.size();
            }
            return seats;
        } finally {
            lock.unlock();
        }
    }

    /** Returns all grants, in order of time. */
    public List<Hold> holds() {
        Map<String, Long> stoodStill = new HashMap<>();
        events(Kind.CLOCKS_STOPPED).forEach(event -> stoodStill.put(event.source(), event.at()));
        Map<String, List<Event>> ofHolds = new HashMap<>();
        for (Event event : events()) {
            boolean excused =
                    event.is(Kind.SAMPLE) && event.flag("held") && isWithin(event.at(), stoodStill.get(event.source()));
            if (!excused) {
                ofHolds.computeIfAbsent(idOf(event), id -> new ArrayList<>()).add(event);
            }
        }
        return events(Kind.GRANTED).stream()
                .map(granted -> Hold.of(granted, ofHolds.getOrDefault(idOf(granted), List.of())))
                .toList();
    }

    private static String idOf(Event event) {
        return event.source() + "#" + event.fields().get("hold");
    }

    /*
     * A process whose clocks both stood still cannot know that time has passed before a server answers it. What its
     * handles answer until then is outside the assumptions. (M28)
     */
    private static boolean isWithin(long at, @Nullable Long stoodStillUntil) {
        return stoodStillUntil != null && at >= stoodStillUntil && at - stoodStillUntil < UNTIL_ANSWERED.toNanos();
    }

    /** Returns the writes to the register, in its order. */
    public List<RegisterWrite> registerWrites() {
        return events(Kind.REGISTER_WRITTEN).stream().map(RegisterWrite::of).toList();
    }

    /** Returns the processes with locks of other libraries that run beside ours. Their own holds are not judged. */
    public Set<String> peerClients() {
        Map<String, String> engines = events(Kind.READY).stream()
                .filter(event -> event.fields().containsKey("engine"))
                .collect(Collectors.toMap(Event::source, event -> event.text("engine"), (first, again) -> again));
        if (!engines.containsValue(OURS)) {
            return Set.of();
        }
        engines.values().removeIf(OURS::equals);
        return engines.keySet();
    }

    public void write(Path file) {
        Uncheck.run(
                () -> Files.write(file, events().stream().map(Event::toString).toList()));
    }
}
