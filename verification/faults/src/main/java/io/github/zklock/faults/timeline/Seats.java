package io.github.zklock.faults.timeline;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** All seats of a run, and when the turn of each came: replays the queues from the transactions of the servers. */
public final class Seats {

    /** In order of creation. One transaction may create several seats, of the same lock under strict order only. */
    private final Map<Key, SeatBuilder> seats = new LinkedHashMap<>();

    private final Map<String, Key> byNode = new HashMap<>();
    private final Map<Long, List<Key>> byTransaction = new HashMap<>();
    private final Map<String, SortedMap<SeatLabel, SeatBuilder>> queues = new HashMap<>();

    private Seats() {}

    public static Seats of(Timeline timeline) {
        Seats seats = new Seats();
        // the sort is stable: transactions of one millisecond keep their order
        timeline.events().forEach(seats::replay);
        return seats;
    }

    public Collection<Seat> all() {
        return seats.values().stream().map(SeatBuilder::build).toList();
    }

    public Optional<Seat> of(Hold hold) {
        Optional<Key> key = hold.token() == 0 ? Optional.ofNullable(byNode.get(hold.node())) : keyOf(hold);
        return key.map(seats::get).map(SeatBuilder::build);
    }

    private Optional<Key> keyOf(Hold hold) {
        List<Key> made = byTransaction.getOrDefault(hold.seat(), List.of());
        Optional<String> folder = made.stream()
                .map(Key::folder)
                .filter(each -> each.endsWith("/" + hold.spec().lock()))
                // the name of a lock may be the end of another name
                .min(Comparator.comparingInt(String::length));
        List<Key> ofLock = made.stream()
                .filter(key -> folder.isPresent() && key.folder().equals(folder.get()))
                .toList();
        // if the transaction created several seats of the lock, the token contains the index
        int place = ofLock.size() == 1 ? 0 : hold.place();
        return place < ofLock.size() ? Optional.of(ofLock.get(place)) : Optional.empty();
    }

    private void replay(Event event) {
        switch (event.kind()) {
            case SEAT_MADE -> {
                SeatBuilder seat = new SeatBuilder(event);
                Key key = Key.of(event);
                seats.put(key, seat);
                byNode.put(event.text("node"), key);
                byTransaction
                        .computeIfAbsent(key.transaction(), number -> new ArrayList<>())
                        .add(key);
                enter(seat, event.text("node"), event.at());
            }
            case SEAT_RENAMED -> {
                SeatBuilder seat = seats.get(Key.of(event));
                if (seat != null) {
                    leave(seat);
                    enter(seat, event.text("node"), event.at());
                }
            }
            case SEAT_ENDED -> {
                SeatBuilder seat = seats.get(Key.of(event));
                if (seat != null) {
                    seat.ended = Optional.of(event);
                    leave(seat).ifPresent(folder -> serve(folder, event.at()));
                }
            }
            default -> {
                // not about a seat
            }
        }
    }

    private void enter(SeatBuilder seat, String node, long at) {
        seat.label = SeatLabel.parse(node);
        seat.label.ifPresent(label -> {
            queue(label.folder()).put(label, seat);
            serve(label.folder(), at);
        });
    }

    private Optional<String> leave(SeatBuilder seat) {
        seat.label.ifPresent(label -> queue(label.folder()).remove(label, seat));
        return seat.label.map(SeatLabel::folder);
    }

    /*
     * Served are: the first seat, if it is exclusive; all readers in front of the first other seat; as many holders of
     * permits as the permits suffice for, by the smallest number among their seats and those in front. The served seats are always the front part of the queue.
     */
    private void serve(String folder, long at) {
        SortedMap<SeatLabel, SeatBuilder> queue = queue(folder);
        List<SeatLabel> served = servedIn(queue.keySet());
        queue.values().stream().limit(served.size()).forEach(seat -> seat.served(at));
        if (served.size() < queue.size()) {
            open(queue, at);
        }
    }

    private static List<SeatLabel> servedIn(Collection<SeatLabel> queue) {
        List<SeatLabel> served = new ArrayList<>();
        int permits = 0;
        int smallest = Integer.MAX_VALUE;
        for (SeatLabel label : queue) {
            permits += label.permits();
            smallest = Math.min(smallest, label.of());
            boolean isAllowed = served.isEmpty() || served.get(0).agreesWith(label);
            if (!isAllowed || (label.kind() == LockKind.PERMITS && permits > smallest)) {
                break;
            }
            served.add(label);
        }
        return served;
    }

    /**
     * A process may hold on a seat while its own seats in front are still to be deleted: as long as these nodes exist,
     * no other process can hold.
     */
    private static void open(SortedMap<SeatLabel, SeatBuilder> queue, long at) {
        for (Entry<SeatLabel, SeatBuilder> entry : queue.entrySet()) {
            SeatBuilder seat = entry.getValue();
            if (seat.openAt.isEmpty()) {
                List<SeatLabel> without = queue.entrySet().stream()
                        .filter(other -> other.getKey().equals(entry.getKey())
                                || !other.getValue().isOfSessionOf(seat))
                        .map(Entry::getKey)
                        .toList();
                if (servedIn(without).contains(entry.getKey())) {
                    seat.open(at);
                }
            }
        }
    }

    private SortedMap<SeatLabel, SeatBuilder> queue(String folder) {
        return queues.computeIfAbsent(folder, name -> new TreeMap<>(SeatLabel.IN_ORDER));
    }

    /**
     * Identifies a seat even if its node is renamed.
     *
     * @param transaction the transaction that created the seat
     */
    private record Key(long transaction, String folder, String sequence) {

        private static final int DIGITS = 10;

        static Key of(Event event) {
            String node = event.text("node");
            return new Key(
                    event.number("seat"),
                    node.substring(0, node.lastIndexOf('/')),
                    node.substring(node.length() - DIGITS));
        }
    }

    private static final class SeatBuilder {

        private final Event made;
        private Optional<SeatLabel> label = Optional.empty();
        private OptionalLong servedAt = OptionalLong.empty();
        private OptionalLong openAt = OptionalLong.empty();
        private Optional<Event> ended = Optional.empty();

        SeatBuilder(Event made) {
            this.made = made;
        }

        void served(long at) {
            if (servedAt.isEmpty()) {
                servedAt = OptionalLong.of(at);
            }
            open(at);
        }

        void open(long at) {
            if (openAt.isEmpty()) {
                openAt = OptionalLong.of(at);
            }
        }

        boolean isOfSessionOf(SeatBuilder other) {
            return made.text("session").equals(other.made.text("session"));
        }

        Seat build() {
            return new Seat(
                    made.number("seat"),
                    made.text("session"),
                    made.text("node"),
                    made.at(),
                    servedAt,
                    openAt,
                    ended.isEmpty()
                            ? OptionalLong.empty()
                            : OptionalLong.of(ended.get().at()),
                    ended.map(end -> SeatEnd.valueOf(end.text("how"))).orElse(SeatEnd.RELEASED));
        }
    }
}
