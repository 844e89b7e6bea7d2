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
 * Two session timeouts after all clients have released their locks, nothing of them is left: no seats and no watches on
 * the servers, whose trees are equal; no memory in the clients; and no threads once the clients have closed their
 * registries.
 */
public final class K8Cleanliness implements Checker {

    /** Tolerated growth of a heap, by classes, caches and compiled code that are loaded after the first call. */
    private static final long TOLERATED_GROWTH = 24L << 20;

    @Override
    public List<Violation> violations(Timeline timeline) {
        Set<String> guests = timeline.peerClients();
        Tolerances tolerances = new Tolerances(timeline);
        OptionalLong rested = timeline.events().stream()
                .filter(event -> event.is(Kind.ALL_RELEASED))
                .mapToLong(Event::at)
                .max();
        List<Violation> found = new ArrayList<>();
        for (Event event : timeline.events()) {
            if (event.is(Kind.LEFT_ON_SERVER)) {
                checkServer(event, found);
                rested.ifPresent(at -> checkTime(event, at, tolerances, found));
            } else if (event.is(Kind.ENDED) && event.fields().containsKey("heap") && !guests.contains(event.source())) {
                checkClient(timeline, event, found);
            }
        }
        List<Event> trees = timeline.events().stream()
                .filter(event -> event.is(Kind.LEFT_ON_SERVER))
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
                        "K8: %s still has %d %s after all releases"
                                .formatted(event.source(), event.number(what), what)));
            }
        }
    }

    private static void checkTime(Event event, long rested, Tolerances tolerances, List<Violation> found) {
        if (event.at() - rested > tolerances.untilClean(rested, event.at())) {
            found.add(new Violation(
                    event.at(),
                    "K8: %s was clean only %.0f ms after the last release"
                            .formatted(event.source(), (event.at() - rested) / 1e6)));
        }
    }

    private static void checkClient(Timeline timeline, Event event, List<Violation> found) {
        // a listener that blocks for good keeps its thread
        boolean blocked = timeline.count(at -> at.is(Kind.BLOCKED, event.source())) > 0;
        if (!blocked && !event.text("threads").isEmpty()) {
            found.add(new Violation(
                    event.at(), "K8: %s left the threads %s behind".formatted(event.source(), event.text("threads"))));
        }
        checkHeap(event, event, "has", found);
        timeline.events().stream()
                .filter(at ->
                        at.is(Kind.ALL_RELEASED, event.source()) && at.fields().containsKey("heap"))
                .forEach(rested -> checkHeap(event, rested, "had, before its registry was closed,", found));
    }

    private static void checkHeap(Event ended, Event then, String had, List<Violation> found) {
        long grown = then.number("heap") - ended.number("heapBefore");
        if (grown > TOLERATED_GROWTH) {
            found.add(new Violation(
                    then.at(),
                    "K8: %s %s %.1f MB more on its heap than before its first call"
                            .formatted(ended.source(), had, grown / 1e6)));
        }
    }
}
