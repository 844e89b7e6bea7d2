package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.LockRequest;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Each call is answered as its contract says: within its time, not before it, and by an answer that such a call can
 * have. An interrupt is either thrown or still set afterwards, never both and never neither. {@link K9Handles} checks
 * the handles.
 */
public final class K9Contract implements Checker {

    private static final Set<Kind> UP = EnumSet.of(Kind.TIMEOUT, Kind.EMPTY);

    @Override
    public List<Violation> violations(Timeline timeline) {
        FaultIntervals faults = FaultIntervals.on(timeline);
        Tolerances tolerances = new Tolerances(timeline);
        Set<String> guests = timeline.peerClients();
        List<Violation> found = new ArrayList<>();
        List<LockRequest> requests = LockRequest.on(timeline);
        for (LockRequest request : requests) {
            if (guests.contains(request.source())) {
                continue;
            }
            request.answer().ifPresent(answer -> {
                checkKind(timeline, requests, request, answer, tolerances, found);
                checkExcuse(request, answer, faults, tolerances, found);
                checkTime(request, answer, faults, tolerances, found);
                checkInterrupted(timeline, request, answer, faults, tolerances, found);
            });
        }
        found.addAll(new K9Handles(timeline).violations());
        timeline.events().stream()
                .filter(event -> event.is(Kind.MISTAKE_LOGGED))
                .map(event -> new Violation(
                        event.at(), "K9: " + event.source() + " has mended its own mistake: " + event.text("message")))
                .forEach(found::add);
        return found;
    }

    private static void checkKind(
            Timeline timeline,
            List<LockRequest> requests,
            LockRequest request,
            Event answer,
            Tolerances tolerances,
            List<Violation> found) {
        // a close is reported when it is complete
        long latest = answer.at() + tolerances.untilGranted(request.at(), answer.at());
        boolean isAllowed = switch (answer.kind()) {
            case EMPTY -> request.isTrying();
            case TIMEOUT -> !request.isTrying() && request.maxWaitNanos() >= 0;
            case UNAVAILABLE -> request.maxWaitNanos() >= 0;
            case REFUSED ->
                isClosed(timeline, request, latest)
                        || isOfAnotherKind(requests, request)
                        || isRejectedOfADeadlock(timeline, request, latest);
            case INTERRUPTED -> isInterrupted(timeline, request, latest);
            default -> true;
        };
        if (!isAllowed) {
            found.add(of(request, answer, "was answered with " + answer.kind()));
        }
        if (answer.is(Kind.INTERRUPTED) && Boolean.parseBoolean(answer.text("flag"))) {
            found.add(of(request, answer, "threw InterruptedException and left the thread interrupted"));
        }
    }

    /**
     * A call is not answered with UNAVAILABLE in a quiet period, unless its wait time is shorter than an answer may
     * take or the sequence of the queue is used up.
     */
    private static void checkExcuse(
            LockRequest request, Event answer, FaultIntervals faults, Tolerances tolerances, List<Violation> found) {
        long from = request.at() - tolerances.untilGranted(request.at(), answer.at());
        if (answer.is(Kind.UNAVAILABLE)
                && request.maxWaitNanos() > tolerances.untilAnswered(request.at(), answer.at())
                && faults.isQuiet(from, answer.at())
                && !answer.fields().getOrDefault("message", "").contains("used_up")) {
            found.add(of(request, answer, "was answered with UNAVAILABLE in a quiet period"));
        }
    }

    /** Returns whether the registry of the process is closed by then, and not opened again before the call. */
    private static boolean isClosed(Timeline timeline, LockRequest request, long latest) {
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
    private static boolean isOfAnotherKind(List<LockRequest> requests, LockRequest request) {
        return requests.stream()
                .map(LockRequest::spec)
                .anyMatch(spec -> spec.lock().equals(request.spec().lock()) && !spec.agreesWith(request.spec()));
    }

    /** Returns whether its process has reported that a call for this lock ends because of a deadlock. */
    private static boolean isRejectedOfADeadlock(Timeline timeline, LockRequest request, long latest) {
        return timeline.count(event -> event.is(Kind.DEADLOCK, request.source())
                        && event.at() > request.at()
                        && event.at() < latest
                        && event.text("lock").equals(request.spec().lock())
                        && Boolean.parseBoolean(event.text("rejected")))
                > 0;
    }

    /**
     * Returns whether the thread was interrupted, which its process reports afterwards. A close may interrupt any
     * thread.
     */
    private static boolean isInterrupted(Timeline timeline, LockRequest request, long latest) {
        return timeline.count(event -> event.is(Kind.INTERRUPTING, request.source())
                                && event.at() > request.at()
                                && event.at() < latest)
                        > 0
                || isClosed(timeline, request, latest);
    }

    private static void checkTime(
            LockRequest request, Event answer, FaultIntervals faults, Tolerances tolerances, List<Violation> found) {
        long wait = request.maxWaitNanos();
        if (wait < 0) {
            return;
        }
        long took = answer.at() - request.at();
        long margin = tolerances.untilAnswered(request.at(), answer.at());
        if (took - faults.stopped(request.source(), request.at(), answer.at()) > wait + margin) {
            found.add(of(request, answer, "was answered with %s after %.0f ms".formatted(answer.kind(), took / 1e6)));
        } else if (UP.contains(answer.kind()) && took < wait) {
            found.add(of(request, answer, "was given up too early, after %.0f ms".formatted(took / 1e6)));
        }
    }

    /** An interrupt ends a wait at once, or is still set afterwards; a grant keeps it set until the release. */
    private static void checkInterrupted(
            Timeline timeline,
            LockRequest request,
            Event answer,
            FaultIntervals faults,
            Tolerances tolerances,
            List<Violation> found) {
        Optional<Event> interrupt = timeline.events().stream()
                .filter(event -> request.isInterruptedBy(event) && event.at() < answer.at())
                .findFirst();
        if (interrupt.isEmpty()) {
            return;
        }
        long since = interrupt.get().at();
        long took = answer.at() - since;
        if (took - faults.stopped(request.source(), since, answer.at())
                > tolerances.untilAnswered(since, answer.at())) {
            found.add(of(request, answer, "was answered %.0f ms after its interrupt".formatted(took / 1e6)));
        }
        boolean swallowed = !answer.is(Kind.GRANTED)
                && !answer.is(Kind.INTERRUPTED)
                && !Boolean.parseBoolean(answer.fields().get("flag"));
        if (swallowed) {
            found.add(of(request, answer, "was answered with %s, and its interrupt is lost".formatted(answer.kind())));
        }
    }

    private static Violation of(LockRequest request, Event answer, String what) {
        return new Violation(answer.at(), "K9: " + request + " " + what);
    }
}
