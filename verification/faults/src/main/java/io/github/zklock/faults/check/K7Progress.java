package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals.QuietPeriod;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.LockRequest;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * In quiet periods, no call waits for a free lock for much longer than the session of a dead holder takes to expire,
 * and no call is overtaken by one that came later by as much. A seat whose turn has come by the servers' transaction
 * logs is granted, or deleted. Leader elections are outside of quiet periods.
 */
public final class K7Progress extends Checker {

    private final Map<String, Long> killed = new HashMap<>();
    private final Map<String, List<Hold>> holds;
    private final Map<String, List<LockRequest>> requests;

    public K7Progress(Timeline timeline) {
        super(timeline);
        timeline.events(Kind.KILLED).forEach(event -> killed.put(event.source(), event.at()));
        this.holds = timeline.holds().stream()
                .collect(Collectors.groupingBy(hold -> hold.spec().lock()));
        this.requests = LockRequest.on(timeline).stream()
                .collect(Collectors.groupingBy(request -> request.spec().lock()));
    }

    @Override
    void check() {
        requests.values().stream()
                .flatMap(List::stream)
                // only calls that wait
                .filter(request -> request.maxWaitNanos() != 0)
                .forEach(this::check);
        checkServed();
        found.sort(Comparator.comparingLong(Violation::at));
    }

    private void check(LockRequest request) {
        long end = request.answer().map(Event::at).orElse(killed.getOrDefault(request.source(), request.at()));
        for (QuietPeriod quiet : faults.quietPeriods(request.at(), end)) {
            checkOvertaking(request, quiet);
            checkFree(request, quiet);
        }
    }

    private void checkOvertaking(LockRequest request, QuietPeriod quiet) {
        overtaking(request, quiet).ifPresent(other -> {
            double later = (other.at() - lastPredecessorEnd(request, other, quiet)) / 1e6;
            String text = "K7: %s was still waiting when %s, made %.0f ms later in a quiet period, was granted";
            report(quiet.until(), text, request, other, later);
        });
    }

    private void checkFree(LockRequest request, QuietPeriod quiet) {
        long since = Math.max(freeSince(request, quiet.until()), quiet.from());
        if (quiet.until() - since > tolerances.untilGranted(since, quiet.until())) {
            Kind answer = request.answer().map(Event::kind).orElse(Kind.KILLED);
            String text = "K7: %s was answered with %s after the lock had been free for %.0f ms";
            report(quiet.until(), text, request, answer, (quiet.until() - since) / 1e6);
        }
    }

    /**
     * Returns a call of another process that came after this one had waited for the tolerated time, and was granted in
     * the same quiet period.
     */
    private Optional<LockRequest> overtaking(LockRequest request, QuietPeriod quiet) {
        long margin = tolerances.untilGranted(quiet.from(), quiet.until());
        return requestsFor(request).stream()
                .filter(other ->
                        other.at() > quiet.from() + margin && !other.source().equals(request.source()))
                .filter(other -> other.answer()
                        .filter(answer -> answer.is(Kind.GRANTED) && answer.at() < quiet.until())
                        .isPresent())
                .filter(other -> other.at() > lastPredecessorEnd(request, other, quiet) + margin)
                .findFirst();
    }

    /**
     * Returns when the last predecessor of a call ended before the other call was granted. Predecessors are the calls
     * before this one, and holders in its own process, which then joined the queue behind others. Until that end the
     * call had to wait, and later calls with it.
     */
    private long lastPredecessorEnd(LockRequest request, LockRequest other, QuietPeriod quiet) {
        long granted = other.answer().orElseThrow().at();
        return holdsFor(request).stream()
                .filter(hold -> hold.source().equals(request.source()) || hasAskedBefore(hold, request))
                .mapToLong(this::endOf)
                .filter(end -> end <= granted)
                .reduce(quiet.from(), Math::max);
    }

    private boolean hasAskedBefore(Hold hold, LockRequest request) {
        return hold.grantedAt() < request.at()
                || requestsFor(request).stream()
                        .takeWhile(earlier -> earlier.at() < request.at())
                        .anyMatch(earlier -> earlier.source().equals(hold.source())
                                && earlier.answer()
                                        .filter(it -> it.at() == hold.grantedAt())
                                        .isPresent());
    }

    /** Returns the end of the last hold before an instant, as far as its holder knew. */
    private long freeSince(LockRequest request, long moment) {
        long since = Long.MIN_VALUE;
        for (Hold hold : holdsFor(request)) {
            boolean own = request.source().equals(hold.source()) && hold.grantedAt() == moment;
            if (!own && hold.grantedAt() <= moment) {
                since = Math.max(since, Math.min(moment, endOf(hold)));
            }
        }
        return since;
    }

    /** A holder that does not report its handle's answers holds until it releases the lock or is killed. */
    private long endOf(Hold hold) {
        boolean silent = hold.samples().isEmpty()
                && hold.releasingAt().isEmpty()
                && hold.lostAt().isEmpty();
        return silent ? killed.getOrDefault(hold.source(), Long.MAX_VALUE) : hold.endedAt();
    }

    private List<Hold> holdsFor(LockRequest request) {
        return holds.getOrDefault(request.spec().lock(), List.of());
    }

    private List<LockRequest> requestsFor(LockRequest request) {
        return requests.getOrDefault(request.spec().lock(), List.of());
    }

    private void checkServed() {
        Seats seats = timeline.seats();
        Set<String> granted = new HashSet<>();
        for (Hold hold : timeline.holds()) {
            seats.of(hold)
                    .filter(seat -> granted.add(seat.node()))
                    .ifPresent(seat -> seat.servedAt().ifPresent(servedAt -> checkGrantedInTime(hold, servedAt)));
        }
        Set<String> dead = sessionsOf(killed.keySet());
        long last = timeline.events().stream().mapToLong(Event::at).max().orElse(0);
        List<String> counted = timeline.events(Kind.COUNTED).stream()
                .map(event -> "/" + event.text("locks"))
                .toList();
        seats.all().stream()
                .filter(seat -> counted.stream().noneMatch(seat.node()::contains))
                .filter(seat -> !granted.contains(seat.node()) && !dead.contains(seat.session()))
                .forEach(seat -> seat.servedAt().ifPresent(servedAt -> checkLeftInTime(seat, servedAt, last)));
    }

    private void checkGrantedInTime(Hold hold, long servedAt) {
        tooLong(servedAt, hold.grantedAt()).ifPresent(quiet -> {
            double late = (hold.grantedAt() - servedAt) / 1e6;
            String text = "K7: %s was granted %.0f ms after it was its turn, by the servers' records";
            report(hold.grantedAt(), text, hold, late);
        });
    }

    private void checkLeftInTime(Seat seat, long servedAt, long last) {
        tooLong(servedAt, seat.endedAt().orElse(last)).ifPresent(quiet -> {
            String text = "K7: %s was not granted, although its turn lasted %.0f ms";
            report(quiet.until(), text, seat.node(), quiet.nanos() / 1e6);
        });
    }

    /** Returns the longest quiet period in an interval, if it was longer than a grant may take. */
    private Optional<QuietPeriod> tooLong(long from, long until) {
        return faults.quietPeriods(from, until).stream()
                .max(Comparator.comparingLong(QuietPeriod::nanos))
                .filter(quiet -> quiet.nanos() > tolerances.untilGranted(quiet.from(), quiet.until()));
    }

    /** Returns all sessions that these processes reported. */
    private Set<String> sessionsOf(Set<String> sources) {
        return timeline.events().stream()
                .filter(event -> sources.contains(event.source())
                        && (event.is(Kind.READY) || event.is(Kind.GRANTED))
                        && event.fields().containsKey("session"))
                .map(event -> event.text("session"))
                .collect(Collectors.toSet());
    }
}
