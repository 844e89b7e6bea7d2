package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Ask;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Trouble;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Once all is well, nobody waits for a lock that nobody has for much longer than it takes the session of a holder that is
 * gone to end, nor while others are served that came later by as much. The election is over when all is well: the servers
 * serve.
 */
public final class K7Progress implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        Trouble trouble = Trouble.on(timeline);
        long patience = new Margins(timeline).untilGranted();
        Map<String, List<Hold>> holds = timeline.holds().stream()
                .collect(Collectors.groupingBy(hold -> hold.wish().lock()));
        Map<String, List<Ask>> asks = Ask.on(timeline).stream()
                .collect(Collectors.groupingBy(ask -> ask.wish().lock()));
        List<Violation> found = new ArrayList<>();
        asks.forEach((lock, all) -> {
            for (Ask ask : all) {
                long end = ask.answer().map(Event::at).orElse(ask.at());
                boolean didNotWait = ask.maxWaitNanos() == 0;
                if (didNotWait || trouble.isAt(end)) {
                    continue;
                }
                long calm = Math.max(ask.at(), trouble.calmSince(end));
                overtaking(all, ask, calm + patience, end)
                        .ifPresent(other -> found.add(new Violation(
                                end,
                                "K7: %s was still waiting when %s, made %.0f ms later in peace, was granted"
                                        .formatted(ask, other, (other.at() - calm) / 1e6))));
                long since = Math.max(freeSince(holds.getOrDefault(lock, List.of()), ask, end), calm);
                if (end - since > patience) {
                    found.add(new Violation(
                            end,
                            "K7: %s was answered with %s after the lock had been nobody's for %.0f ms"
                                    .formatted(
                                            ask,
                                            ask.answer().map(Event::kind).orElse(Kind.FAILED),
                                            (end - since) / 1e6)));
                }
            }
        });
        found.sort(Comparator.comparingLong(Violation::at));
        return found;
    }

    /** A call of another process that came after this instant and was granted before the end. */
    private static Optional<Ask> overtaking(List<Ask> all, Ask ask, long after, long end) {
        return all.stream()
                .filter(other -> other.at() > after && !other.source().equals(ask.source()))
                .filter(other -> other.answer()
                        .filter(answer -> answer.is(Kind.GRANTED) && answer.at() < end)
                        .isPresent())
                .findFirst();
    }

    /** When the last one before that moment had ended its hold, as far as it knew. */
    private static long freeSince(List<Hold> holds, Ask ask, long moment) {
        long since = Long.MIN_VALUE;
        for (Hold hold : holds) {
            boolean own = ask.source().equals(hold.source()) && hold.grantedAt() == moment;
            if (!own && hold.grantedAt() <= moment) {
                since = Math.max(since, Math.min(moment, hold.endedAt()));
            }
        }
        return since;
    }
}
