package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What was done to the processes: for which time each fault lasted. */
public final class FaultIntervals {

    /**
     * One fault.
     *
     * @param until the same as {@code from} for what cannot be mended, such as a client that was killed;
     *     {@link Long#MAX_VALUE} if it lasted to the end
     */
    public record Interval(String source, Kind kind, long from, long until) {

        boolean isAt(long instant) {
            return from <= instant && instant < until;
        }
    }

    /** A time in which nothing was amiss, and nothing was done to anybody. */
    public record QuietPeriod(long from, long until) {

        /** How long it was. */
        public long nanos() {
            return until - from;
        }
    }

    private final List<Interval> intervals = new ArrayList<>();
    /** When something was done to anybody, for the worse or for the better. */
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
                        // a client goes on when it is told to
                        .filter(fault -> !(clients.contains(fault.source()) && fault.is(Kind.PAUSED)))
                        .forEach(over::add);
            }
            over.forEach(fault -> intervals.add(new Interval(fault.source(), fault.kind(), fault.at(), event.at())));
            open.removeAll(over);
            if (kind.isFault() && (!kind.lasts() || (client && kind == Kind.KILLED))) {
                intervals.add(new Interval(event.source(), kind, event.at(), event.at()));
            } else if (kind.isFault() && !isOpen(open, event)) {
                open.add(event);
            }
            // what mends nothing excuses nothing
            if (kind.isFault() || !over.isEmpty()) {
                changes.add(event.at());
            }
        }
        open.forEach(fault -> intervals.add(new Interval(fault.source(), fault.kind(), fault.at(), Long.MAX_VALUE)));
    }

    private static boolean isOpen(List<Event> open, Event again) {
        return open.stream().anyMatch(fault -> fault.is(again.kind(), again.source()));
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

    /** Whether anything is amiss at that instant. */
    public boolean isAt(long instant) {
        return intervals.stream().anyMatch(interval -> interval.isAt(instant));
    }

    /** Since when nothing has been done to anybody, neither good nor bad; {@link Long#MIN_VALUE} if nothing was before. */
    public long quietSince(long instant) {
        return changes.stream()
                .mapToLong(Long::longValue)
                .filter(change -> change <= instant)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Whether nothing was amiss and nothing was done to anybody from one instant to another. */
    public boolean isQuiet(long from, long until) {
        return !isAt(until) && quietSince(until) < from;
    }

    /** All times of that kind between two instants, each as long as it can be. */
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

    /** How much of that time the process was stopped. */
    public long stopped(String source, long from, long until) {
        return intervals.stream()
                .filter(interval -> interval.source().equals(source) && interval.kind() == Kind.PAUSED)
                .mapToLong(interval -> Math.min(interval.until(), until) - Math.max(interval.from(), from))
                .filter(time -> time > 0)
                .sum();
    }
}
