package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Ask;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Trouble;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Each call is answered as its contract says: in time and not before it, by what such a call may answer; an interrupt is
 * either thrown or still there afterwards, never both and never neither; and so is what is asked of a handle
 * ({@link K9Handles}).
 */
public final class K9Contract implements Checker {

    private static final Set<Kind> UP = EnumSet.of(Kind.TIMEOUT, Kind.EMPTY);

    @Override
    public List<Violation> violations(Timeline timeline) {
        Trouble trouble = Trouble.on(timeline);
        Margins margins = new Margins(timeline);
        Set<String> guests = timeline.guests();
        List<Violation> found = new ArrayList<>();
        List<Ask> asks = Ask.on(timeline);
        for (Ask ask : asks) {
            if (guests.contains(ask.source())) {
                continue;
            }
            ask.answer().ifPresent(answer -> {
                checkKind(timeline, asks, ask, answer, margins, found);
                checkExcuse(ask, answer, trouble, margins, found);
                checkTime(ask, answer, trouble, margins, found);
                checkInterrupted(timeline, ask, answer, trouble, margins, found);
            });
        }
        found.addAll(new K9Handles(timeline).violations());
        return found;
    }

    private static void checkKind(
            Timeline timeline, List<Ask> asks, Ask ask, Event answer, Margins margins, List<Violation> found) {
        // a close is told when it is done
        long latest = answer.at() + margins.untilGranted(ask.at(), answer.at());
        boolean fits = switch (answer.kind()) {
            case EMPTY -> ask.isTrying();
            case TIMEOUT -> !ask.isTrying() && ask.maxWaitNanos() >= 0;
            case UNAVAILABLE -> ask.maxWaitNanos() >= 0;
            case REFUSED -> isClosed(timeline, ask, latest) || isAtOdds(asks, ask);
            case INTERRUPTED -> isInterrupted(timeline, ask, latest);
            default -> true;
        };
        if (!fits) {
            found.add(of(ask, answer, "was answered with " + answer.kind()));
        }
        if (answer.is(Kind.INTERRUPTED) && Boolean.parseBoolean(answer.text("flag"))) {
            found.add(of(ask, answer, "threw InterruptedException and left the thread interrupted"));
        }
    }

    /**
     * Servers that are well are not to be called unavailable, unless they were given less time than an answer may take; a
     * queue whose sequence is used up is.
     */
    private static void checkExcuse(Ask ask, Event answer, Trouble trouble, Margins margins, List<Violation> found) {
        long from = ask.at() - margins.untilGranted(ask.at(), answer.at());
        if (answer.is(Kind.UNAVAILABLE)
                && ask.maxWaitNanos() > margins.untilAnswered(ask.at(), answer.at())
                && trouble.isCalm(from, answer.at())
                && !answer.fields().getOrDefault("message", "").contains("used_up")) {
            found.add(of(ask, answer, "was answered with UNAVAILABLE, and nothing was amiss"));
        }
    }

    /** Whether what it takes locks from is closed until then, and not opened again before it asks. */
    private static boolean isClosed(Timeline timeline, Ask ask, long latest) {
        boolean closed = false;
        for (Event event : timeline.events()) {
            if (event.at() > latest) {
                break;
            } else if (event.is(Kind.SHUT, ask.source()) || event.is(Kind.CLOSING, ask.source())) {
                closed = true;
            } else if (event.is(Kind.READY, ask.source()) && event.at() < ask.at()) {
                closed = false;
            }
        }
        return closed;
    }

    /** Whether others ask for a lock of another kind by the same name. */
    private static boolean isAtOdds(List<Ask> asks, Ask ask) {
        return asks.stream()
                .map(Ask::wish)
                .anyMatch(wish -> wish.lock().equals(ask.wish().lock()) && !wish.agreesWith(ask.wish()));
    }

    /** Whether anybody interrupted it, of which its process says so afterwards; one that is closed interrupts whom it likes. */
    private static boolean isInterrupted(Timeline timeline, Ask ask, long latest) {
        return timeline.count(event -> event.is(Kind.INTERRUPTING, ask.source())
                                && event.at() > ask.at()
                                && event.at() < latest)
                        > 0
                || isClosed(timeline, ask, latest);
    }

    private static void checkTime(Ask ask, Event answer, Trouble trouble, Margins margins, List<Violation> found) {
        long wait = ask.maxWaitNanos();
        if (wait < 0) {
            return;
        }
        long took = answer.at() - ask.at();
        long margin = margins.untilAnswered(ask.at(), answer.at());
        if (took - trouble.stopped(ask.source(), ask.at(), answer.at()) > wait + margin) {
            found.add(of(ask, answer, "was answered with %s after %.0f ms".formatted(answer.kind(), took / 1e6)));
        } else if (UP.contains(answer.kind()) && took < wait) {
            found.add(of(ask, answer, "was given up after %.0f ms already".formatted(took / 1e6)));
        }
    }

    /** An interrupt ends a wait at once, or is still to be seen afterwards; what is granted keeps it until it is given back. */
    private static void checkInterrupted(
            Timeline timeline, Ask ask, Event answer, Trouble trouble, Margins margins, List<Violation> found) {
        Optional<Event> interrupt = timeline.events().stream()
                .filter(event -> ask.isInterruptedBy(event) && event.at() < answer.at())
                .findFirst();
        if (interrupt.isEmpty()) {
            return;
        }
        long since = interrupt.get().at();
        long took = answer.at() - since;
        if (took - trouble.stopped(ask.source(), since, answer.at()) > margins.untilAnswered(since, answer.at())) {
            found.add(of(ask, answer, "was answered %.0f ms after its interrupt".formatted(took / 1e6)));
        }
        boolean swallowed = !answer.is(Kind.GRANTED)
                && !answer.is(Kind.INTERRUPTED)
                && !Boolean.parseBoolean(answer.fields().get("flag"));
        if (swallowed) {
            found.add(of(ask, answer, "was answered with %s, and its interrupt is gone".formatted(answer.kind())));
        }
    }

    private static Violation of(Ask ask, Event answer, String what) {
        return new Violation(answer.at(), "K9: " + ask + " " + what);
    }
}
