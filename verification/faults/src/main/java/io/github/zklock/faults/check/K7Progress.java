package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Ask;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Seat;
import io.github.zklock.faults.record.Seats;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Trouble;
import io.github.zklock.faults.record.Trouble.Calm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whenever all is well, nobody waits for a lock that nobody has for much longer than it takes the session of a holder that is
 * gone to end, nor while others are served that came later by as much; and whose turn it is by the servers' records is
 * granted it, or leaves. The election is over when all is well: the servers serve.
 */
public final class K7Progress implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        return new Judgement(timeline).violations();
    }

    /** Of one time line. */
    private static final class Judgement {

        private final Timeline timeline;
        private final Trouble trouble;
        private final Margins margins;
        private final Map<String, Long> killed;
        private final Map<String, List<Hold>> holds;
        private final Map<String, List<Ask>> asks;
        private final List<Violation> found = new ArrayList<>();

        Judgement(Timeline timeline) {
            this.timeline = timeline;
            this.trouble = Trouble.on(timeline);
            this.margins = new Margins(timeline);
            this.killed = killed(timeline);
            this.holds = timeline.holds().stream()
                    .collect(Collectors.groupingBy(hold -> hold.wish().lock()));
            this.asks = Ask.on(timeline).stream()
                    .collect(Collectors.groupingBy(ask -> ask.wish().lock()));
        }

        List<Violation> violations() {
            asks.values().stream()
                    .flatMap(List::stream)
                    // others do not wait
                    .filter(ask -> ask.maxWaitNanos() != 0)
                    .forEach(this::check);
            checkServed();
            found.sort(Comparator.comparingLong(Violation::at));
            return found;
        }

        /** When each process that was killed was. */
        private static Map<String, Long> killed(Timeline timeline) {
            Map<String, Long> killed = new HashMap<>();
            timeline.events().stream()
                    .filter(event -> event.is(Kind.KILLED))
                    .forEach(event -> killed.put(event.source(), event.at()));
            return killed;
        }

        private void check(Ask ask) {
            long end = ask.answer().map(Event::at).orElse(killed.getOrDefault(ask.source(), ask.at()));
            for (Calm calm : trouble.calm(ask.at(), end)) {
                checkOvertaking(ask, calm);
                checkFree(ask, calm);
            }
        }

        private void checkOvertaking(Ask ask, Calm calm) {
            overtaking(ask, calm)
                    .ifPresent(other -> found.add(new Violation(
                            calm.until(),
                            "K7: %s was still waiting when %s, made %.0f ms later in peace, was granted"
                                    .formatted(ask, other, (other.at() - lastGaveWay(ask, other, calm)) / 1e6))));
        }

        private void checkFree(Ask ask, Calm calm) {
            long since = Math.max(freeSince(ask, calm.until()), calm.from());
            if (calm.until() - since > margins.untilGranted(since, calm.until())) {
                found.add(new Violation(
                        calm.until(),
                        "K7: %s was answered with %s after the lock had been nobody's for %.0f ms"
                                .formatted(
                                        ask,
                                        ask.answer().map(Event::kind).orElse(Kind.KILLED),
                                        (calm.until() - since) / 1e6)));
            }
        }

        /**
         * A call of another process that came when this one had waited for long enough, and was granted in the same peace.
         */
        private Optional<Ask> overtaking(Ask ask, Calm calm) {
            long margin = margins.untilGranted(calm.from(), calm.until());
            return asksFor(ask.wish().lock()).stream()
                    .filter(other ->
                            other.at() > calm.from() + margin && !other.source().equals(ask.source()))
                    .filter(other -> other.answer()
                            .filter(answer -> answer.is(Kind.GRANTED) && answer.at() < calm.until())
                            .isPresent())
                    .filter(other -> other.at() > lastGaveWay(ask, other, calm) + margin)
                    .findFirst();
        }

        /**
         * When the last one gave way before the other was granted of those who had asked before this call, or in its own
         * process, which then came behind others: until then the call had to wait, and those who came later waited with it.
         */
        private long lastGaveWay(Ask ask, Ask other, Calm calm) {
            long granted = other.answer().orElseThrow().at();
            return holdsOf(ask.wish().lock()).stream()
                    .filter(hold -> hold.source().equals(ask.source()) || hasAskedBefore(hold, ask))
                    .mapToLong(this::endOf)
                    .filter(end -> end <= granted)
                    .reduce(calm.from(), Math::max);
        }

        private boolean hasAskedBefore(Hold hold, Ask ask) {
            return hold.grantedAt() < ask.at()
                    || asksFor(ask.wish().lock()).stream()
                            .takeWhile(earlier -> earlier.at() < ask.at())
                            .anyMatch(earlier -> earlier.source().equals(hold.source())
                                    && earlier.answer()
                                            .filter(it -> it.at() == hold.grantedAt())
                                            .isPresent());
        }

        /** When the last one before that moment had ended its hold, as far as it knew. */
        private long freeSince(Ask ask, long moment) {
            long since = Long.MIN_VALUE;
            for (Hold hold : holdsOf(ask.wish().lock())) {
                boolean own = ask.source().equals(hold.source()) && hold.grantedAt() == moment;
                if (!own && hold.grantedAt() <= moment) {
                    since = Math.max(since, Math.min(moment, endOf(hold)));
                }
            }
            return since;
        }

        /** A holder that never looks at its lock has it until it gives it back, or dies. */
        private long endOf(Hold hold) {
            boolean silent = hold.samples().isEmpty()
                    && hold.releasingAt().isEmpty()
                    && hold.lostAt().isEmpty();
            return silent ? killed.getOrDefault(hold.source(), Long.MAX_VALUE) : hold.endedAt();
        }

        private List<Hold> holdsOf(String lock) {
            return holds.getOrDefault(lock, List.of());
        }

        private List<Ask> asksFor(String lock) {
            return asks.getOrDefault(lock, List.of());
        }

        private void checkServed() {
            Seats seats = Seats.of(timeline);
            Set<String> granted = new HashSet<>();
            for (Hold hold : timeline.holds()) {
                seats.of(hold)
                        .filter(seat -> granted.add(seat.node()))
                        .ifPresent(seat -> seat.servedAt().ifPresent(servedAt -> checkGrantedInTime(hold, servedAt)));
            }
            Set<String> dead = sessionsOf(killed.keySet());
            seats.all().stream()
                    .filter(seat -> !granted.contains(seat.node()) && !dead.contains(seat.session()))
                    .forEach(seat -> seat.servedAt().ifPresent(servedAt -> checkLeftInTime(seat, servedAt)));
        }

        private void checkGrantedInTime(Hold hold, long servedAt) {
            tooLong(servedAt, hold.grantedAt())
                    .ifPresent(calm -> found.add(new Violation(
                            hold.grantedAt(),
                            "K7: %s was granted %.0f ms after it was its turn, by the servers' records"
                                    .formatted(hold, (hold.grantedAt() - servedAt) / 1e6))));
        }

        private void checkLeftInTime(Seat seat, long servedAt) {
            long last = timeline.events().stream().mapToLong(Event::at).max().orElse(0);
            tooLong(servedAt, seat.endedAt().orElse(last))
                    .ifPresent(calm -> found.add(new Violation(
                            calm.until(),
                            "K7: nobody was granted %s, whose turn it was for %.0f ms"
                                    .formatted(seat.node(), calm.nanos() / 1e6))));
        }

        /** The longest time of calm in between, if it was longer than a grant may take. */
        private Optional<Calm> tooLong(long from, long until) {
            return trouble.calm(from, until).stream()
                    .max(Comparator.comparingLong(Calm::nanos))
                    .filter(calm -> calm.nanos() > margins.untilGranted(calm.from(), calm.until()));
        }

        /** All sessions that these processes said to have. */
        private Set<String> sessionsOf(Set<String> sources) {
            return timeline.events().stream()
                    .filter(event -> sources.contains(event.source())
                            && (event.is(Kind.READY) || event.is(Kind.GRANTED))
                            && event.fields().containsKey("session"))
                    .map(event -> event.text("session"))
                    .collect(Collectors.toSet());
        }
    }
}
