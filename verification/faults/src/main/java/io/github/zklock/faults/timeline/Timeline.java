package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All events of all processes of a scenario run. Thread-safe. */
public final class Timeline {

    /** The name of our engine. */
    public static final String OURS = "zklock";

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** A client reconnects within a second, and is answered. */
    private static final Duration UNTIL_ANSWERED = Duration.ofMillis(1_500);

    // guards: events
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final List<Event> events = new ArrayList<>();

    public void add(Event event) {
        lock.lock();
        try {
            events.add(event);
            more.signalAll();
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

    /** Waits for the first matching event after an instant. */
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

    public long count(Predicate<Event> matching) {
        return events().stream().filter(matching).count();
    }

    /** Returns all grants, in order of time. */
    public List<Hold> holds() {
        Map<String, HoldBuilder> holds = new LinkedHashMap<>();
        Map<String, Long> stoodStill = new HashMap<>();
        for (Event event : events()) {
            if (event.is(Kind.GRANTED)) {
                holds.put(event.source() + "#" + event.text("hold"), new HoldBuilder(event));
            } else if (event.is(Kind.CLOCKS_STOPPED)) {
                stoodStill.put(event.source(), event.at());
            }
        }
        for (Event event : events()) {
            HoldBuilder hold = holds.get(event.source() + "#" + event.fields().get("hold"));
            boolean excused = event.is(Kind.SAMPLE)
                    && Boolean.parseBoolean(event.text("held"))
                    && isWithin(event.at(), stoodStill.get(event.source()));
            if (hold != null && !excused) {
                hold.add(event);
            }
        }
        return holds.values().stream().map(HoldBuilder::build).toList();
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
        return events().stream()
                .filter(event -> event.is(Kind.REGISTER_WRITTEN))
                .map(RegisterWrite::of)
                .toList();
    }

    /** Returns the processes with locks of other libraries that run beside ours. Their own holds are not judged. */
    public Set<String> peerClients() {
        Map<String, String> engines = events().stream()
                .filter(event -> event.is(Kind.READY) && event.fields().containsKey("engine"))
                .collect(Collectors.toMap(Event::source, event -> event.text("engine"), (first, again) -> again));
        if (!engines.containsValue(OURS)) {
            return Set.of();
        }
        engines.values().removeIf(OURS::equals);
        return engines.keySet();
    }

    public void write(Path file) {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Event event : events()) {
                out.write(event + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class HoldBuilder {

        private final Event grant;
        private final List<Hold.Sample> samples = new ArrayList<>();
        private @Nullable Event releasing;
        private @Nullable Event lost;
        private @Nullable Event closed;
        private @Nullable Event seen;
        private @Nullable Event unseen;

        HoldBuilder(Event grant) {
            this.grant = grant;
        }

        void add(Event event) {
            switch (event.kind()) {
                case SAMPLE ->
                    samples.add(new Hold.Sample(
                            event.at(),
                            event.number("after"),
                            Boolean.parseBoolean(event.text("held")),
                            event.number("remaining")));
                case RELEASING -> releasing = event;
                case LOST -> lost = event;
                case CLOSED -> closed = event;
                case RELEASE_SEEN -> seen = event;
                case RELEASE_UNKNOWN -> unseen = event;
                default -> {
                    // not part of a hold
                }
            }
        }

        Hold build() {
            return new Hold(
                    grant.source(),
                    grant.number("hold"),
                    LockSpec.parse(grant.text("spec")),
                    grant.number("token"),
                    grant.text("session"),
                    grant.fields().getOrDefault("node", ""),
                    grant.at(),
                    samples,
                    instant(releasing),
                    instant(lost),
                    instant(closed),
                    instant(seen),
                    instant(unseen),
                    isInterrupted(releasing) && !isInterrupted(closed) && closed != null,
                    closed != null && closed.text("result").equals("lost"));
        }

        private static boolean isInterrupted(@Nullable Event event) {
            return event != null && Boolean.parseBoolean(event.fields().get("interrupted"));
        }

        private static OptionalLong instant(@Nullable Event event) {
            return event == null ? OptionalLong.empty() : OptionalLong.of(event.at());
        }
    }
}
