package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Hold;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Wait;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.queue.Sharers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One search for cycles, along the published waits and the queues of the locks that they wait for. What it reads is
 * read one after the other, so a cycle that it finds may never have existed at one instant.
 */
final class DeadlockSearch {

    /** The source of queues and of published waits. */
    interface Source {

        QueueView queue(LockName lock) throws InterruptedException;

        /** Returns what a registry has published; empty if it has published nothing. */
        Optional<Published> published(String registry) throws InterruptedException;
    }

    /** @param version the number of the publication, which grows by one with each */
    record Published(WaitReport report, int version) {}

    /**
     * A wait of the cycle.
     *
     * @param registry the registry of the wait
     * @param rejects whether its registry rejects the youngest request
     * @param hold the hold for which the wait before it in the cycle waits
     */
    record Link(String registry, String instance, boolean rejects, int version, Wait waiting, Hold hold) {

        /** Returns whether both are the same wait with the same hold, perhaps in different publications. */
        boolean isSameAs(Link other) {
            return registry.equals(other.registry) && waiting.id() == other.waiting.id() && hold.equals(other.hold);
        }
    }

    private record Key(String registry, long id) {}

    /** A wait that the search has reached. */
    private static final class Reached {

        private final String registry;
        private final Published in;
        private final Wait wait;
        /** The seats that block this wait, each with the waits of its holders and their holds. */
        private final Map<SeatName, Map<Reached, Hold>> seats = new LinkedHashMap<>();

        Reached(String registry, Published in, Wait wait) {
            this.registry = registry;
            this.in = in;
            this.wait = wait;
        }

        /** Returns whether this wait cannot end while those cannot end: it waits for their seats, even if all others leave. */
        boolean isStuckWith(Set<Reached> stuck) {
            Sharers kept = new Sharers();
            seats.forEach((seat, holders) -> {
                if (holders.keySet().stream().anyMatch(stuck::contains)) {
                    kept.add(seat.demand());
                }
            });
            return !kept.admits(wait.demand());
        }

        /** @param before waits for a lock that this wait's caller holds */
        Link after(Reached before) {
            Hold hold = before.seats.values().stream()
                    .map(seat -> seat.get(this))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            return new Link(registry, in.report().instance(), in.report().rejects(), in.version(), wait, hold);
        }
    }

    /** Further waits are not searched: such a tangle is no deadlock of a few locks. */
    private static final int MOST = 200;

    private final Source source;
    private final Map<String, Optional<Published>> published = new HashMap<>();
    private final Map<LockName, QueueView> queues = new HashMap<>();
    private final Map<Key, Reached> reached = new HashMap<>();
    private final Deque<Reached> todo = new ArrayDeque<>();

    DeadlockSearch(Source source) {
        this.source = source;
    }

    /** Returns cycles that contain a wait of this registry: at most one for each of its waits. */
    List<List<Link>> circlesOf(String registry) throws InterruptedException {
        Optional<Published> own = published(registry);
        if (own.isPresent()) {
            own.get().report().waits().forEach(wait -> reach(registry, own.get(), wait));
        }
        List<Reached> ours = List.copyOf(todo);
        Set<Reached> stuck = new HashSet<>();
        while (!todo.isEmpty() && stuck.size() < MOST) {
            Reached next = todo.remove();
            findHoldersOfLockOf(next);
            stuck.add(next);
        }
        while (stuck.removeIf(wait -> !wait.isStuckWith(stuck))) {
            // each that can end may let others end
        }
        List<List<Link>> circles = new ArrayList<>();
        Set<Reached> covered = new HashSet<>();
        for (Reached wait : ours) {
            if (stuck.contains(wait) && !covered.contains(wait)) {
                List<Reached> circle = circle(wait, stuck);
                covered.addAll(circle);
                if (!circle.isEmpty()) {
                    circles.add(links(circle));
                }
            }
        }
        return circles;
    }

    private Reached reach(String registry, Published in, Wait wait) {
        return reached.computeIfAbsent(new Key(registry, wait.id()), key -> {
            Reached fresh = new Reached(registry, in, wait);
            todo.add(fresh);
            return fresh;
        });
    }

    private void findHoldersOfLockOf(Reached waiter) throws InterruptedException {
        for (SeatName seat : queue(waiter.wait.lock()).holders()) {
            if (seat.demand().isNeverInTheWayOf(waiter.wait.demand())) {
                // it blocks only writers, and a reader behind a writer can go on when that one gives up
                continue;
            }
            Map<Reached, Hold> holders = new LinkedHashMap<>();
            String registry = SeatIds.registryOf(seat.id());
            Optional<Published> in = published(registry);
            for (Wait wait : in.map(Published::report).map(WaitReport::waits).orElse(List.of())) {
                wait.holds().stream()
                        .filter(hold -> hold.seatId().equals(seat.id()))
                        .forEach(hold -> holders.put(reach(registry, in.orElseThrow(), wait), hold));
            }
            waiter.seats.put(seat, holders);
        }
    }

    /** Returns the shortest cycle through this wait; empty if it only waits for a cycle of others. */
    private static List<Reached> circle(Reached start, Set<Reached> stuck) {
        Map<Reached, List<Reached>> pathTo = new HashMap<>();
        Deque<Reached> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            Reached wait = next.remove();
            List<Reached> path = new ArrayList<>(pathTo.getOrDefault(wait, List.of()));
            path.add(wait);
            for (Map<Reached, Hold> seat : wait.seats.values()) {
                if (seat.containsKey(start)) {
                    return path;
                }
                for (Reached holder : seat.keySet()) {
                    if (stuck.contains(holder) && pathTo.putIfAbsent(holder, path) == null) {
                        next.add(holder);
                    }
                }
            }
        }
        return List.of();
    }

    private static List<Link> links(List<Reached> circle) {
        List<Link> links = new ArrayList<>();
        Reached before = circle.get(circle.size() - 1);
        for (Reached wait : circle) {
            links.add(wait.after(before));
            before = wait;
        }
        return links;
    }

    private Optional<Published> published(String registry) throws InterruptedException {
        Optional<Published> known = published.get(registry);
        if (known == null) {
            known = source.published(registry);
            published.put(registry, known);
        }
        return known;
    }

    private QueueView queue(LockName lock) throws InterruptedException {
        QueueView known = queues.get(lock);
        if (known == null) {
            known = source.queue(lock);
            queues.put(lock, known);
        }
        return known;
    }
}
