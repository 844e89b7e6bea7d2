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
        Trouble trouble = Trouble.on(timeline);
        Margins margins = new Margins(timeline);
        Map<String, Long> killed = killed(timeline);
        List<Violation> found = new ArrayList<>();
        checkAsks(timeline, trouble, margins, killed, found);
        checkServed(timeline, trouble, margins, killed.keySet(), found);
        found.sort(Comparator.comparingLong(Violation::at));
        return found;
    }

    private static void checkAsks(
            Timeline timeline, Trouble trouble, Margins margins, Map<String, Long> killed, List<Violation> found) {
        Map<String, List<Hold>> holds = timeline.holds().stream()
                .collect(Collectors.groupingBy(hold -> hold.wish().lock()));
        Map<String, List<Ask>> asks = Ask.on(timeline).stream()
                .collect(Collectors.groupingBy(ask -> ask.wish().lock()));
        for (Ask ask : asks.values().stream().flatMap(List::stream).toList()) {
            if (ask.maxWaitNanos() == 0) {
                // it does not wait
                continue;
            }
            String lock = ask.wish().lock();
            long end = ask.answer().map(Event::at).orElse(killed.getOrDefault(ask.source(), ask.at()));
            for (Calm calm : trouble.calm(ask.at(), end)) {
                List<Hold> ofLock = holds.getOrDefault(lock, List.of());
                checkOvertaking(asks.getOrDefault(lock, List.of()), ofLock, ask, calm, margins, killed, found);
                checkFree(ofLock, ask, calm, margins, killed, found);
            }
        }
    }

    private static void checkOvertaking(
            List<Ask> all,
            List<Hold> holds,
            Ask ask,
            Calm calm,
            Margins margins,
            Map<String, Long> killed,
            List<Violation> found) {
        overtaking(all, holds, ask, calm, margins, killed)
                .ifPresent(other -> found.add(new Violation(
                        calm.until(),
                        "K7: %s was still waiting when %s, made %.0f ms later in peace, was granted"
                                .formatted(
                                        ask,
                                        other,
                                        (other.at() - lastGaveWay(all, holds, ask, other, calm, killed)) / 1e6))));
    }

    private static void checkFree(
            List<Hold> holds, Ask ask, Calm calm, Margins margins, Map<String, Long> killed, List<Violation> found) {
        long since = Math.max(freeSince(holds, ask, calm.until(), killed), calm.from());
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

    /** When each process that was killed was. */
    private static Map<String, Long> killed(Timeline timeline) {
        Map<String, Long> killed = new HashMap<>();
        timeline.events().stream()
                .filter(event -> event.is(Kind.KILLED))
                .forEach(event -> killed.put(event.source(), event.at()));
        return killed;
    }

    /** A call of another process that came when this one had waited for long enough, and was granted in the same peace. */
    private static Optional<Ask> overtaking(
            List<Ask> all, List<Hold> holds, Ask ask, Calm calm, Margins margins, Map<String, Long> killed) {
        long margin = margins.untilGranted(calm.from(), calm.until());
        return all.stream()
                .filter(other ->
                        other.at() > calm.from() + margin && !other.source().equals(ask.source()))
                .filter(other -> other.answer()
                        .filter(answer -> answer.is(Kind.GRANTED) && answer.at() < calm.until())
                        .isPresent())
                .filter(other -> other.at() > lastGaveWay(all, holds, ask, other, calm, killed) + margin)
                .findFirst();
    }

    /**
     * When the last one gave way before the other was granted of those who had asked before this call, or in its own
     * process, which then came behind others: until then the call had to wait, and those who came later waited with it.
     */
    private static long lastGaveWay(
            List<Ask> all, List<Hold> holds, Ask ask, Ask other, Calm calm, Map<String, Long> killed) {
        long granted = other.answer().orElseThrow().at();
        return holds.stream()
                .filter(hold -> hold.source().equals(ask.source()) || hasAskedBefore(all, hold, ask))
                .mapToLong(hold -> endOf(hold, killed))
                .filter(end -> end <= granted)
                .reduce(calm.from(), Math::max);
    }

    private static boolean hasAskedBefore(List<Ask> all, Hold hold, Ask ask) {
        return hold.grantedAt() < ask.at()
                || all.stream()
                        .takeWhile(earlier -> earlier.at() < ask.at())
                        .anyMatch(earlier -> earlier.source().equals(hold.source())
                                && earlier.answer()
                                        .filter(it -> it.at() == hold.grantedAt())
                                        .isPresent());
    }

    /** When the last one before that moment had ended its hold, as far as it knew. */
    private static long freeSince(List<Hold> holds, Ask ask, long moment, Map<String, Long> killed) {
        long since = Long.MIN_VALUE;
        for (Hold hold : holds) {
            boolean own = ask.source().equals(hold.source()) && hold.grantedAt() == moment;
            if (!own && hold.grantedAt() <= moment) {
                since = Math.max(since, Math.min(moment, endOf(hold, killed)));
            }
        }
        return since;
    }

    /** A holder that never looks at its lock has it until it gives it back, or dies. */
    private static long endOf(Hold hold, Map<String, Long> killed) {
        boolean silent = hold.samples().isEmpty()
                && hold.releasingAt().isEmpty()
                && hold.lostAt().isEmpty();
        return silent ? killed.getOrDefault(hold.source(), Long.MAX_VALUE) : hold.endedAt();
    }

    private static void checkServed(
            Timeline timeline, Trouble trouble, Margins margins, Set<String> killed, List<Violation> found) {
        Seats seats = Seats.of(timeline);
        Set<Long> granted = new HashSet<>();
        for (Hold hold : timeline.holds()) {
            seats.of(hold)
                    .filter(seat -> granted.add(seat.number()))
                    .ifPresent(seat -> seat.servedAt()
                            .ifPresent(servedAt -> longest(trouble, servedAt, hold.grantedAt())
                                    .filter(calm -> calm.nanos() > margins.untilGranted(calm.from(), calm.until()))
                                    .ifPresent(calm -> found.add(new Violation(
                                            hold.grantedAt(),
                                            "K7: %s was granted %.0f ms after it was its turn, by the servers' records"
                                                    .formatted(hold, (hold.grantedAt() - servedAt) / 1e6))))));
        }
        Set<String> dead = sessionsOf(timeline, killed);
        long last = timeline.events().stream().mapToLong(Event::at).max().orElse(0);
        for (Seat seat : seats.all()) {
            if (seat.servedAt().isEmpty() || granted.contains(seat.number()) || dead.contains(seat.session())) {
                continue;
            }
            long servedAt = seat.servedAt().getAsLong();
            longest(trouble, servedAt, seat.endedAt().orElse(last))
                    .filter(calm -> calm.nanos() > margins.untilGranted(calm.from(), calm.until()))
                    .ifPresent(calm -> found.add(new Violation(
                            calm.until(),
                            "K7: nobody was granted %s, whose turn it was for %.0f ms"
                                    .formatted(seat.node(), calm.nanos() / 1e6))));
        }
    }

    private static Optional<Calm> longest(Trouble trouble, long from, long until) {
        return trouble.calm(from, until).stream().max(Comparator.comparingLong(Calm::nanos));
    }

    /** All sessions that these processes said to have. */
    private static Set<String> sessionsOf(Timeline timeline, Set<String> sources) {
        return timeline.events().stream()
                .filter(event -> sources.contains(event.source())
                        && (event.is(Kind.READY) || event.is(Kind.GRANTED))
                        && event.fields().containsKey("session"))
                .map(event -> event.text("session"))
                .collect(Collectors.toSet());
    }
}
