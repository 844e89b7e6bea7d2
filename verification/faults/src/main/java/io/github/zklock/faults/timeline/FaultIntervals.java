package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The faults of a scenario run, and how long each lasted. */
public final class FaultIntervals {

    /**
     * One fault.
     *
     * @param until the same as {@code from} for a fault without an end, such as the kill of a client;
     *     {@link Long#MAX_VALUE} if the fault lasted until the end of the run
     */
    public record Interval(String source, Kind kind, long from, long until) {

        boolean isAt(long instant) {
            return from <= instant && instant < until;
        }
    }

    /** An interval without any fault and without the begin or end of one. */
    public record QuietPeriod(long from, long until) {

        public long nanos() {
            return until - from;
        }
    }

    private final List<Interval> intervals = new ArrayList<>();
    /** the instants at which a fault began or ended */
    private final List<Long> changes = new ArrayList<>();

    private FaultIntervals(List<Event> events, Set<String> clients) {
        List<Event> open = new ArrayList<>();
        for (Event event : events) {
            Kind kind = event.kind();
            boolean client = clients.contains(event.source());
            Set<Event> over = new HashSet<>();
            if (kind == Kind.RESUMED || kind == Kind.KILLED) {
                open.stream()
                        .filter(fault -> fault.source().equals(event.source()))
                        .forEach(over::add);
            } else if (kind == Kind.HEALED) {
                open.stream()
                        // a paused client continues only when the scenario resumes it
                        .filter(fault -> !(clients.contains(fault.source()) && fault.is(Kind.PAUSED)))
                        .forEach(over::add);
            }
            over.forEach(fault -> intervals.add(new Interval(fault.source(), fault.kind(), fault.at(), event.at())));
            open.removeAll(over);
            if (kind.isFault() && (!kind.lasts() || (client && kind == Kind.KILLED))) {
                intervals.add(new Interval(event.source(), kind, event.at(), event.at()));
            } else if (kind.isFault() && open.stream().noneMatch(fault -> fault.is(kind, event.source()))) {
                open.add(event);
            }
            // an event that ends no fault does not end a quiet period
            if (kind.isFault() || !over.isEmpty()) {
                changes.add(event.at());
            }
        }
        open.forEach(fault -> intervals.add(new Interval(fault.source(), fault.kind(), fault.at(), Long.MAX_VALUE)));
    }

    public static FaultIntervals on(Timeline timeline) {
        List<Event> events = timeline.events();
        Set<String> clients = events.stream()
                .filter(event -> event.is(Kind.READY))
                .map(Event::source)
                .collect(Collectors.toSet());
        return new FaultIntervals(events, clients);
    }

    public List<Interval> intervals() {
        return List.copyOf(intervals);
    }

    public boolean isAt(long instant) {
        return intervals.stream().anyMatch(interval -> interval.isAt(instant));
    }

    /** Returns the last instant at which a fault began or ended; {@link Long#MIN_VALUE} if there is none. */
    public long quietSince(long instant) {
        return changes.stream()
                .mapToLong(Long::longValue)
                .filter(change -> change <= instant)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Returns whether no fault lasted, began or ended between two instants. */
    public boolean isQuiet(long from, long until) {
        return !isAt(until) && quietSince(until) < from;
    }

    /** Returns the quiet periods between two instants, each as long as possible. */
    public List<QuietPeriod> quietPeriods(long from, long until) {
        List<Long> edges = new ArrayList<>(List.of(from));
        changes.stream().filter(change -> change > from && change < until).forEach(edges::add);
        edges.add(until);
        List<QuietPeriod> quiet = new ArrayList<>();
        for (int edge = 1; edge < edges.size(); edge++) {
            if (!isAt(edges.get(edge - 1))) {
                quiet.add(new QuietPeriod(edges.get(edge - 1), edges.get(edge)));
            }
        }
        return quiet;
    }

    /** Returns the time between two instants during which a process was paused. */
    public long stopped(String source, long from, long until) {
        return intervals.stream()
                .filter(interval -> interval.source().equals(source) && interval.kind() == Kind.PAUSED)
                .mapToLong(interval -> Math.min(interval.until(), until) - Math.max(interval.from(), from))
                .filter(time -> time > 0)
                .sum();
    }
}
