package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two session timeouts after all clients have released their locks, nothing of them is left: no seats and no watches on
 * the servers, whose trees are equal; no memory in the clients; and no threads once the clients have closed their
 * registries.
 */
public final class K8Cleanliness extends Checker {

    /** Tolerated growth of a heap, by classes, caches and compiled code that are loaded after the first call. */
    private static final long TOLERATED_GROWTH = 24L << 20;

    public K8Cleanliness(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        List<Event> servers = timeline.events(Kind.LEFT_ON_SERVER);
        OptionalLong rested =
                timeline.events(Kind.ALL_RELEASED).stream().mapToLong(Event::at).max();
        servers.forEach(server -> checkServer(server, rested));
        Set<String> guests = timeline.peerClients();
        timeline.events(Kind.ENDED).stream()
                .filter(event -> event.fields().containsKey("heap") && !guests.contains(event.source()))
                .forEach(this::checkClient);
        if (servers.stream().map(event -> event.text("tree")).distinct().count() > 1) {
            String trees = servers.stream()
                    .map(event -> event.source() + " has " + event.text("tree"))
                    .collect(Collectors.joining(", "));
            report(servers.get(0).at(), "K8: the servers' trees differ: %s", trees);
        }
    }

    private void checkServer(Event event, OptionalLong rested) {
        for (String what : List.of("seats", "watches")) {
            if (event.number(what) > 0) {
                String text = "K8: %s still has %d %s after all releases";
                report(event.at(), text, event.source(), event.number(what), what);
            }
        }
        rested.ifPresent(since -> {
            long took = event.at() - since;
            if (took > tolerances.untilClean(since, event.at())) {
                String text = "K8: %s was clean only %.0f ms after the last release";
                report(event.at(), text, event.source(), took / 1e6);
            }
        });
    }

    private void checkClient(Event ended) {
        // a listener that blocks for good keeps its thread
        boolean blocked = timeline.count(at -> at.is(Kind.BLOCKED, ended.source())) > 0;
        if (!blocked && !ended.text("threads").isEmpty()) {
            report(ended.at(), "K8: %s left the threads %s behind", ended.source(), ended.text("threads"));
        }
        checkHeap(ended, ended, "has");
        timeline.events(Kind.ALL_RELEASED).stream()
                .filter(at -> at.source().equals(ended.source()) && at.fields().containsKey("heap"))
                .forEach(rested -> checkHeap(ended, rested, "had, before its registry was closed,"));
    }

    private void checkHeap(Event ended, Event then, String had) {
        long grown = then.number("heap") - ended.number("heapBefore");
        if (grown > TOLERATED_GROWTH) {
            String text = "K8: %s %s %.1f MB more on its heap than before its first call";
            report(then.at(), text, ended.source(), had, grown / 1e6);
        }
    }
}
