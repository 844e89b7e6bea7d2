package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * When everybody has given back what they had, nothing is left of it within two session timeouts: no seats and no watches on
 * the servers, which have equal trees, and no memory in the clients, nor threads once they have closed what they took their locks from.
 */
public final class K8Cleanliness implements Checker {

    /** What classes, caches and compiled code may weigh that were not there before the first call. */
    private static final long WEIGHT = 24L << 20;

    @Override
    public List<Violation> violations(Timeline timeline) {
        Set<String> guests = timeline.peerClients();
        Tolerances tolerances = new Tolerances(timeline);
        OptionalLong rested = timeline.events().stream()
                .filter(event -> event.is(Kind.RESTED))
                .mapToLong(Event::at)
                .max();
        List<Violation> found = new ArrayList<>();
        for (Event event : timeline.events()) {
            if (event.is(Kind.REMAINED)) {
                checkServer(event, found);
                rested.ifPresent(at -> checkTime(event, at, tolerances, found));
            } else if (event.is(Kind.ENDED) && event.fields().containsKey("heap") && !guests.contains(event.source())) {
                checkClient(timeline, event, found);
            }
        }
        List<Event> trees = timeline.events().stream()
                .filter(event -> event.is(Kind.REMAINED))
                .toList();
        if (trees.stream().map(event -> event.text("tree")).distinct().count() > 1) {
            found.add(new Violation(
                    trees.get(0).at(),
                    "K8: the servers' trees differ: "
                            + trees.stream()
                                    .map(event -> event.source() + " has " + event.text("tree"))
                                    .collect(Collectors.joining(", "))));
        }
        return found;
    }

    private static void checkServer(Event event, List<Violation> found) {
        for (String what : List.of("seats", "watches")) {
            if (event.number(what) > 0) {
                found.add(new Violation(
                        event.at(),
                        "K8: %s still has %d %s though nobody wants anything"
                                .formatted(event.source(), event.number(what), what)));
            }
        }
    }

    private static void checkTime(Event event, long rested, Tolerances tolerances, List<Violation> found) {
        if (event.at() - rested > tolerances.untilClean(rested, event.at())) {
            found.add(new Violation(
                    event.at(),
                    "K8: only %.0f ms after the last one had given back what it had was nothing left of it on %s"
                            .formatted((event.at() - rested) / 1e6, event.source())));
        }
    }

    private static void checkClient(Timeline timeline, Event event, List<Violation> found) {
        // those of listeners that never come back stay for ever
        boolean blocked = timeline.count(at -> at.is(Kind.BLOCKED, event.source())) > 0;
        if (!blocked && !event.text("threads").isEmpty()) {
            found.add(new Violation(
                    event.at(), "K8: %s left the threads %s behind".formatted(event.source(), event.text("threads"))));
        }
        checkHeap(event, event, "has", found);
        timeline.events().stream()
                .filter(at -> at.is(Kind.RESTED, event.source()) && at.fields().containsKey("heap"))
                .forEach(rested -> checkHeap(event, rested, "had, while it could still be asked for locks,", found));
    }

    private static void checkHeap(Event ended, Event then, String had, List<Violation> found) {
        long grown = then.number("heap") - ended.number("heapBefore");
        if (grown > WEIGHT) {
            found.add(new Violation(
                    then.at(),
                    "K8: %s %s %.1f MB more on its heap than before its first call"
                            .formatted(ended.source(), had, grown / 1e6)));
        }
    }
}
