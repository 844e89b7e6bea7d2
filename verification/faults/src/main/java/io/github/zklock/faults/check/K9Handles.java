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
 * A handle answers at once, and answers "held" in quiet periods as long as the lock is held. A release does not block,
 * and its outcome is reported.
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
                checkReported(hold, found);
            }
            doubtWithoutReason(hold, closing(hold, closings)).ifPresent(found::add);
            checkUnseen(hold, found);
        }
        return found;
    }

    /** Returns the processes with our locks that ended in the regular way and had no blocked threads. */
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
                    // not relevant here
                }
            }
        }
        ours.retainAll(ended);
        ours.removeAll(silenced);
        return ours;
    }

    /** Returns the events by which a process closes its registry. */
    private List<Event> closings() {
        return timeline.events().stream()
                .filter(event -> event.is(Kind.CLOSING) || event.is(Kind.REGISTRY_CLOSED))
                .toList();
    }

    /** Returns when the process began to close its registry: from then on the handle need not be held. */
    private long closing(Hold hold, List<Event> closings) {
        return closings.stream()
                .filter(event -> event.source().equals(hold.source()) && event.at() > hold.grantedAt())
                // one event is reported after the close, the other one before it
                .mapToLong(event -> event.is(Kind.REGISTRY_CLOSED)
                        ? event.at() - tolerances.untilGranted(event.at(), event.at())
                        : event.at())
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
            found.add(new Violation(until, "K9: the release of %s took %.0f ms".formatted(hold, (until - from) / 1e6)));
        }
        if (hold.interruptForgotten()) {
            found.add(new Violation(until, "K9: the release of %s lost the interrupt of its thread".formatted(hold)));
        }
    }

    private static void checkReported(Hold hold, List<Violation> found) {
        if (hold.isClosed() && !hold.isReleaseReported()) {
            found.add(new Violation(
                    hold.closedAt().orElseThrow(),
                    "K9: the outcome of the release of %s was not reported".formatted(hold)));
        }
    }

    /** In a quiet period, the servers see each release. */
    private void checkUnseen(Hold hold, List<Violation> found) {
        hold.unseenAt().ifPresent(at -> {
            if (!hold.closedAsLost() && isQuietBefore(at, hold.releasingAt().orElse(at))) {
                found.add(new Violation(
                        at,
                        "K9: the outcome of the release of %s was reported as unknown in a quiet period"
                                .formatted(hold)));
            }
        });
    }

    /** Returns the first answer "not held" that has no reason. */
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
                        "K9: %s was not held %.0f ms after its grant, in a quiet period"
                                .formatted(hold, (sample.before() - hold.grantedAt()) / 1e6)));
    }

    /**
     * Returns whether an instant is in a quiet period that began well before another instant, and in which the machine
     * did not stall.
     */
    private boolean isQuietBefore(long at, long wellBefore) {
        return faults.isQuiet(wellBefore - tolerances.untilGranted(wellBefore, at), at) && !tolerances.isSlow(at);
    }
}
