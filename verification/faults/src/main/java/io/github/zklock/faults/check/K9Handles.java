package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A handle answers at once, and in peace says that it is held for as long as it is; nobody waits for a release, but everybody
 * is told in the end what became of it.
 */
final class K9Handles {

    private final Timeline timeline;
    private final FaultIntervals faults;
    private final Tolerances tolerances;

    K9Handles(Timeline timeline) {
        this.timeline = timeline;
        faults = FaultIntervals.on(timeline);
        tolerances = new Tolerances(timeline);
    }

    List<Violation> violations() {
        Set<String> guests = timeline.peerClients();
        Set<String> reportingProcesses = reportingProcesses();
        List<Event> closings = closings();
        List<Violation> found = new ArrayList<>();
        for (Hold hold : timeline.holds()) {
            if (guests.contains(hold.source())) {
                continue;
            }
            checkAnswers(hold, found);
            checkRelease(hold, found);
            if (reportingProcesses.contains(hold.source())) {
                checkTold(hold, found);
            }
            doubtWithoutReason(hold, closing(hold, closings)).ifPresent(found::add);
            checkUnseen(hold, found);
        }
        return found;
    }

    /** The processes with our locks that came to a proper end, in which nothing was brought to a standstill. */
    private Set<String> reportingProcesses() {
        Set<String> ours = new HashSet<>();
        Set<String> ended = new HashSet<>();
        Set<String> silenced = new HashSet<>();
        for (Event event : timeline.events()) {
            switch (event.kind()) {
                case READY -> {
                    if (Timeline.OURS.equals(event.fields().get("engine"))) {
                        ours.add(event.source());
                    }
                }
                case ENDED -> ended.add(event.source());
                case KILLED, BLOCKED -> silenced.add(event.source());
                default -> {
                    // says nothing of that
                }
            }
        }
        ours.retainAll(ended);
        ours.removeAll(silenced);
        return ours;
    }

    /** Processes close what their locks are taken from. */
    private List<Event> closings() {
        return timeline.events().stream()
                .filter(event -> event.is(Kind.CLOSING) || event.is(Kind.SHUT))
                .toList();
    }

    /** Since when its process has been closing what the lock was taken from: the handle is not held any more then. */
    private long closing(Hold hold, List<Event> closings) {
        return closings.stream()
                .filter(event -> event.source().equals(hold.source()) && event.at() > hold.grantedAt())
                // said when it is done, or before it is begun
                .mapToLong(event ->
                        event.is(Kind.SHUT) ? event.at() - tolerances.untilGranted(event.at(), event.at()) : event.at())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void checkAnswers(Hold hold, List<Violation> found) {
        for (Sample sample : hold.samples()) {
            long took = sample.after() - sample.before();
            long allowed = tolerances.untilAnswered(sample.before(), sample.after());
            if (took - faults.stopped(hold.source(), sample.before(), sample.after()) > allowed) {
                found.add(new Violation(
                        sample.after(), "K9: the handle of %s answered after %.0f ms".formatted(hold, took / 1e6)));
            }
        }
    }

    private void checkRelease(Hold hold, List<Violation> found) {
        if (hold.releasingAt().isEmpty() || hold.closedAt().isEmpty()) {
            return;
        }
        long from = hold.releasingAt().getAsLong();
        long until = hold.closedAt().getAsLong();
        if (until - from - faults.stopped(hold.source(), from, until) > tolerances.untilAnswered(from, until)) {
            found.add(
                    new Violation(until, "K9: %s took %.0f ms to be given back".formatted(hold, (until - from) / 1e6)));
        }
        if (hold.interruptForgotten()) {
            found.add(
                    new Violation(until, "K9: %s was given back, and its thread's interrupt is gone".formatted(hold)));
        }
    }

    private static void checkTold(Hold hold, List<Violation> found) {
        if (hold.isClosed() && !hold.toldOfItsRelease()) {
            found.add(new Violation(
                    hold.closedAt().orElseThrow(),
                    "K9: %s was given back, and nobody was told what became of that".formatted(hold)));
        }
    }

    /** Servers that are well see a release. */
    private void checkUnseen(Hold hold, List<Violation> found) {
        hold.unseenAt().ifPresent(at -> {
            if (!hold.closedAsLost() && isQuietBefore(at, hold.releasingAt().orElse(at))) {
                found.add(new Violation(
                        at, "K9: %s was given back, and the servers are said not to have seen it".formatted(hold)));
            }
        });
    }

    /** The first time that a handle said of itself, without any reason, that it cannot be proven to be held. */
    private Optional<Violation> doubtWithoutReason(Hold hold, long closing) {
        return hold.samples().stream()
                .filter(sample -> !sample.held()
                        && sample.after() < closing
                        && sample.after() < hold.lostAt().orElse(Long.MAX_VALUE)
                        && !hold.closedAsLost()
                        && isQuietBefore(sample.after(), sample.before()))
                .findFirst()
                .map(sample -> new Violation(
                        sample.before(),
                        "K9: %s was not held %.0f ms after its grant, and nothing was amiss"
                                .formatted(hold, (sample.before() - hold.grantedAt()) / 1e6)));
    }

    /** Whether an instant lies in peace, which began long before another one, and in which the machine was not slow. */
    private boolean isQuietBefore(long at, long wellBefore) {
        return faults.isQuiet(wellBefore - tolerances.untilGranted(wellBefore, at), at) && !tolerances.isSlow(at);
    }
}
