package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockRequest;
import io.github.zklock.faults.timeline.Timeline;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Each call is answered as its contract says: within its time, not before it, and by an answer that such a call can
 * have. An interrupt is either thrown or still set afterwards, never both and never neither. {@link K9Handles} checks
 * the handles.
 */
public final class K9Contract extends Checker {

    private static final Set<Kind> UP = EnumSet.of(Kind.TIMEOUT, Kind.EMPTY);

    private final List<LockRequest> requests;

    public K9Contract(Timeline timeline) {
        super(timeline);
        this.requests = LockRequest.on(timeline);
    }

    @Override
    void check() {
        Set<String> guests = timeline.peerClients();
        for (LockRequest request : requests) {
            if (!guests.contains(request.source())) {
                request.answer().ifPresent(answer -> {
                    checkKind(request, answer);
                    checkExcuse(request, answer);
                    checkTime(request, answer);
                    checkInterrupted(request, answer);
                });
            }
        }
        timeline.events(Kind.MISTAKE_LOGGED)
                .forEach(event -> report(
                        event.at(), "K9: %s has mended its own mistake: %s", event.source(), event.text("message")));
    }

    private void checkKind(LockRequest request, Event answer) {
        // a close is reported when it is complete
        long latest = answer.at() + tolerances.untilGranted(request.at(), answer.at());
        boolean isAllowed = switch (answer.kind()) {
            case EMPTY -> request.isTrying();
            case TIMEOUT -> !request.isTrying() && request.maxWaitNanos() >= 0;
            case UNAVAILABLE -> request.maxWaitNanos() >= 0;
            case REFUSED ->
                isClosed(request, latest) || isOfAnotherKind(request) || isRejectedOfADeadlock(request, latest);
            // a close may interrupt any thread; the process reports other interrupts afterwards
            case INTERRUPTED ->
                timeline.has(Kind.INTERRUPTING, request.source(), request.at(), latest) || isClosed(request, latest);
            default -> true;
        };
        if (!isAllowed) {
            report(request, answer, "was answered with %s", answer.kind());
        }
        if (answer.is(Kind.INTERRUPTED) && answer.flag("flag")) {
            report(request, answer, "threw InterruptedException and left the thread interrupted");
        }
    }

    /**
     * A call is not answered with UNAVAILABLE in a quiet period, unless its wait time is shorter than an answer may
     * take or the sequence of the queue is used up.
     */
    private void checkExcuse(LockRequest request, Event answer) {
        long from = request.at() - tolerances.untilGranted(request.at(), answer.at());
        if (answer.is(Kind.UNAVAILABLE)
                && request.maxWaitNanos() > tolerances.untilAnswered(request.at(), answer.at())
                && faults.isQuiet(from, answer.at())
                && !answer.fields().getOrDefault("message", "").contains("used_up")) {
            report(request, answer, "was answered with UNAVAILABLE in a quiet period");
        }
    }

    /** Returns whether the registry of the process is closed by then, and not opened again before the call. */
    private boolean isClosed(LockRequest request, long latest) {
        boolean closed = false;
        for (Event event : timeline.events()) {
            if (event.at() > latest) {
                break;
            } else if (event.is(Kind.REGISTRY_CLOSED, request.source()) || event.is(Kind.CLOSING, request.source())) {
                closed = true;
            } else if (event.is(Kind.READY, request.source()) && event.at() < request.at()) {
                closed = false;
            }
        }
        return closed;
    }

    /** Returns whether a call names the same lock as another kind. */
    private boolean isOfAnotherKind(LockRequest request) {
        return requests.stream()
                .map(LockRequest::spec)
                .anyMatch(spec -> spec.lock().equals(request.spec().lock()) && !spec.agreesWith(request.spec()));
    }

    /** Returns whether its process has reported that a call for this lock ends because of a deadlock. */
    private boolean isRejectedOfADeadlock(LockRequest request, long latest) {
        return timeline.events(Kind.DEADLOCK).stream()
                .anyMatch(event -> event.source().equals(request.source())
                        && event.at() > request.at()
                        && event.at() < latest
                        && event.text("lock").equals(request.spec().lock())
                        && event.flag("rejected"));
    }

    private void checkTime(LockRequest request, Event answer) {
        long wait = request.maxWaitNanos();
        if (wait < 0) {
            return;
        }
        long took = answer.at() - request.at();
        long margin = tolerances.untilAnswered(request.at(), answer.at());
        if (took - faults.stopped(request.source(), request.at(), answer.at()) > wait + margin) {
            report(request, answer, "was answered with %s after %.0f ms", answer.kind(), took / 1e6);
        } else if (UP.contains(answer.kind()) && took < wait) {
            report(request, answer, "was given up too early, after %.0f ms", took / 1e6);
        }
    }

    /** An interrupt ends a wait at once, or is still set afterwards; a grant keeps it set until the release. */
    private void checkInterrupted(LockRequest request, Event answer) {
        Optional<Event> interrupt = timeline.events(Kind.INTERRUPTING).stream()
                .filter(event -> request.isInterruptedBy(event) && event.at() < answer.at())
                .findFirst();
        if (interrupt.isEmpty()) {
            return;
        }
        long since = interrupt.get().at();
        long took = answer.at() - since;
        if (took - faults.stopped(request.source(), since, answer.at())
                > tolerances.untilAnswered(since, answer.at())) {
            report(request, answer, "was answered %.0f ms after its interrupt", took / 1e6);
        }
        if (!answer.is(Kind.GRANTED) && !answer.is(Kind.INTERRUPTED) && !answer.flag("flag")) {
            report(request, answer, "was answered with %s, and its interrupt is lost", answer.kind());
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // needs a library of annotations
    private void report(LockRequest request, Event answer, String text, Object... values) {
        report(answer.at(), "K9: %s %s", request, text.formatted(values));
    }
}
