package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.Timeline;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A handle answers at once, and answers "held" in quiet periods as long as the lock is held. A release does not block,
 * and its outcome is reported.
 */
final class K9Handles extends Checker {

    K9Handles(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        Set<String> guests = timeline.peerClients();
        Set<String> reportingProcesses = reportingProcesses();
        List<Event> closings = timeline.events().stream()
                .filter(event -> event.is(Kind.CLOSING) || event.is(Kind.REGISTRY_CLOSED))
                .toList();
        for (Hold hold : timeline.holds()) {
            if (guests.contains(hold.source())) {
                continue;
            }
            checkAnswers(hold);
            checkRelease(hold);
            if (reportingProcesses.contains(hold.source()) && hold.isClosed() && !hold.isReleaseReported()) {
                long closedAt = hold.closedAt().orElseThrow();
                report(closedAt, "K9: the outcome of the release of %s was not reported", hold);
            }
            checkDoubt(hold, closing(hold, closings));
            checkUnseen(hold);
        }
    }

    /** Returns the processes with our locks that ended in the regular way and had no blocked threads. */
    private Set<String> reportingProcesses() {
        Set<String> ours = new HashSet<>();
        Set<String> ended = new HashSet<>();
        Set<String> silenced = new HashSet<>();
        for (Event event : timeline.events()) {
            if (event.is(Kind.READY) && Timeline.OURS.equals(event.fields().get("engine"))) {
                ours.add(event.source());
            } else if (event.is(Kind.ENDED)) {
                ended.add(event.source());
            } else if (event.is(Kind.KILLED) || event.is(Kind.BLOCKED)) {
                silenced.add(event.source());
            }
        }
        ours.retainAll(ended);
        ours.removeAll(silenced);
        return ours;
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

    private void checkAnswers(Hold hold) {
        for (Sample sample : hold.samples()) {
            if (isTooSlow(hold, sample.before(), sample.after())) {
                double took = (sample.after() - sample.before()) / 1e6;
                report(sample.after(), "K9: the handle of %s answered after %.0f ms", hold, took);
            }
        }
    }

    private void checkRelease(Hold hold) {
        if (hold.releasingAt().isEmpty() || hold.closedAt().isEmpty()) {
            return;
        }
        long from = hold.releasingAt().getAsLong();
        long until = hold.closedAt().getAsLong();
        if (isTooSlow(hold, from, until)) {
            report(until, "K9: the release of %s took %.0f ms", hold, (until - from) / 1e6);
        }
        if (hold.interruptForgotten()) {
            report(until, "K9: the release of %s lost the interrupt of its thread", hold);
        }
    }

    /** Returns whether an operation took longer than it may; the time in which the process was paused does not count. */
    private boolean isTooSlow(Hold hold, long from, long until) {
        return until - from - faults.stopped(hold.source(), from, until) > tolerances.untilAnswered(from, until);
    }

    /** In a quiet period, the servers see each release. */
    private void checkUnseen(Hold hold) {
        hold.unseenAt().ifPresent(at -> {
            if (!hold.closedAsLost()
                    && isQuietBefore(hold, at, hold.releasingAt().orElse(at))) {
                report(at, "K9: the outcome of the release of %s was reported as unknown in a quiet period", hold);
            }
        });
    }

    /** Reports the first answer "not held" that has no reason. */
    private void checkDoubt(Hold hold, long closing) {
        hold.samples().stream()
                .filter(sample -> !sample.held()
                        && sample.after() < closing
                        && sample.after() < hold.lostAt().orElse(Long.MAX_VALUE)
                        && !hold.closedAsLost()
                        && isQuietBefore(hold, sample.after(), sample.before()))
                .findFirst()
                .ifPresent(sample -> {
                    double after = (sample.before() - hold.grantedAt()) / 1e6;
                    String text = "K9: %s was not held %.0f ms after its grant, in a quiet period";
                    report(sample.before(), text, hold, after);
                });
    }

    /**
     * Returns whether an instant is in a quiet period that began well before another instant, and in which the machine
     * did not stall.
     */
    private boolean isQuietBefore(Hold hold, long at, long wellBefore) {
        long proving = tolerances.untilProven(hold.source(), wellBefore, at);
        return faults.isQuiet(wellBefore - proving, at) && !tolerances.isSlow(at);
    }
}
