package io.github.zklock.faults.timeline;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All seats of a run, and when the turn of each came: replays the queues from the transactions of the servers. */
public final class Seats {

    /** In order of creation. One transaction may create several seats, of the same lock under strict order only. */
    private final Map<String, Seat> seats = new LinkedHashMap<>();

    private final Map<String, Seat> byNode = new HashMap<>();
    private final Map<Long, List<Seat>> byTransaction = new HashMap<>();
    private final Map<String, SortedMap<SeatLabel, Seat>> queues = new HashMap<>();

    private Seats() {}

    /** @param events in order of time; transactions of one millisecond in their order */
    static Seats of(List<Event> events) {
        Seats seats = new Seats();
        events.forEach(seats::replay);
        return seats;
    }

    public Collection<Seat> all() {
        return List.copyOf(seats.values());
    }

    public Optional<Seat> of(Hold hold) {
        if (hold.token() == 0) {
            return Optional.ofNullable(byNode.get(hold.node()));
        }
        List<Seat> made = byTransaction.getOrDefault(hold.seat(), List.of());
        Optional<String> folder = made.stream()
                .map(Seat::folder)
                .filter(each -> each.endsWith("/" + hold.spec().lock()))
                // the name of a lock may be the end of another name
                .min(Comparator.comparingInt(String::length));
        List<Seat> ofLock = made.stream()
                .filter(seat -> folder.equals(Optional.of(seat.folder())))
                .toList();
        // if the transaction created several seats of the lock, the token contains the index
        int place = ofLock.size() == 1 ? 0 : hold.place();
        return place < ofLock.size() ? Optional.of(ofLock.get(place)) : Optional.empty();
    }

    private void replay(Event event) {
        switch (event.kind()) {
            case SEAT_MADE -> {
                Seat seat = new Seat(event);
                seats.put(key(event), seat);
                byNode.put(seat.node(), seat);
                byTransaction
                        .computeIfAbsent(event.number("seat"), number -> new ArrayList<>())
                        .add(seat);
                enter(seat, event);
            }
            case SEAT_RENAMED -> leave(event).ifPresent(seat -> enter(seat, event));
            case SEAT_ENDED ->
                leave(event).ifPresent(seat -> {
                    seat.ended(event);
                    serve(queue(seat), event.at());
                });
            default -> {
                // not about a seat
            }
        }
    }

    private void enter(Seat seat, Event event) {
        SeatLabel.parse(event.text("node")).ifPresent(label -> {
            queue(seat).put(label, seat);
            serve(queue(seat), event.at());
        });
    }

    private Optional<Seat> leave(Event event) {
        Optional<Seat> left = Optional.ofNullable(seats.get(key(event)));
        left.ifPresent(seat -> queue(seat).values().remove(seat));
        return left;
    }

    private SortedMap<SeatLabel, Seat> queue(Seat seat) {
        return queues.computeIfAbsent(seat.folder(), name -> new TreeMap<>(SeatLabel.IN_ORDER));
    }

    /** Identifies a seat even if its node is renamed: by its transaction, folder and sequence number. */
    private static String key(Event event) {
        return event.text("seat") + event.text("node").replaceFirst("[^/]*(\\d{10})$", "$1");
    }

    /*
     * Served are: the first seat, if it is exclusive; all readers in front of the first other seat; as many holders of
     * permits as the permits suffice for, by the smallest number among their seats and those in front. The served seats
     * are always the front part of the queue.
     */
    private static void serve(SortedMap<SeatLabel, Seat> queue, long at) {
        Front front = new Front();
        for (Map.Entry<SeatLabel, Seat> entry : queue.entrySet()) {
            if (!front.admits(entry.getKey())) {
                open(queue, at);
                return;
            }
            front.add(entry.getKey());
            entry.getValue().served(at);
        }
    }

    /**
     * A process may hold on a seat while its own seats in front are still to be deleted: as long as these nodes exist,
     * no other process can hold.
     */
    private static void open(SortedMap<SeatLabel, Seat> queue, long at) {
        queue.values().stream()
                .filter(seat -> seat.openAt().isEmpty())
                .map(Seat::session)
                .distinct()
                .forEach(session -> open(queue, session, at));
    }

    /** Opens the seats of a session that the seats of other sessions do not block. */
    private static void open(SortedMap<SeatLabel, Seat> queue, String session, long at) {
        Front others = new Front();
        for (Map.Entry<SeatLabel, Seat> entry : queue.entrySet()) {
            boolean admitted = others.admits(entry.getKey());
            if (!entry.getValue().session().equals(session)) {
                if (!admitted) {
                    return;
                }
                others.add(entry.getKey());
            } else if (admitted) {
                entry.getValue().open(at);
            } else if (others.isFull()) {
                return;
            }
        }
    }

    /** Seats that are served together, in the order of their queue. */
    private static final class Front {

        private Optional<SeatLabel> first = Optional.empty();
        private int permits;
        private int smallest = Integer.MAX_VALUE;

        boolean admits(SeatLabel next) {
            boolean agrees = first.isEmpty() || first.get().agreesWith(next);
            return agrees
                    && (next.kind() != LockKind.PERMITS || permits + next.permits() <= Math.min(smallest, next.of()));
        }

        void add(SeatLabel next) {
            first = first.or(() -> Optional.of(next));
            permits += next.permits();
            smallest = Math.min(smallest, next.of());
        }

        /** Returns whether no seat can be admitted any more. */
        boolean isFull() {
            return first.isPresent()
                    && switch (first.get().kind()) {
                        case EXCLUSIVE -> true;
                        case PERMITS -> permits >= smallest;
                        case READ, WRITE -> false;
                    };
        }
    }
}
