package io.github.zklock.zookeeper.internal.inspect;

import io.github.zklock.LockInspector.Seat;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A description of a queue, seat by seat. Each client that may write below the base path can make a queue of any length
 * and seats as large as the servers accept. Therefore only the first seats are read, a limited number at once; the
 * others are described by their names.
 */
public final class QueueWalk {

    /** The source of seats. */
    public interface Reader {

        /** Requests the description of a seat. It is empty if the seat does not exist. */
        CompletableFuture<Optional<Seat>> read(SeatName seat, boolean holds);

        /** Waits for an answer. */
        Optional<Seat> await(CompletableFuture<Optional<Seat>> reading) throws InterruptedException;
    }

    /** The number of seats that are read. */
    public static final int MOST = 1000;

    private static final int AHEAD = 64;

    private final List<SeatName> seats;
    private final int holding;
    private final Reader reader;

    public QueueWalk(QueueView view, Reader reader) {
        this.seats = List.copyOf(view.seats());
        this.holding = view.holders().size();
        this.reader = reader;
    }

    public List<Seat> seats() throws InterruptedException {
        List<Seat> queue = new ArrayList<>();
        Deque<CompletableFuture<Optional<Seat>>> ahead = new ArrayDeque<>();
        int read = Math.min(seats.size(), MOST);
        try {
            int asked = 0;
            for (int i = 0; i < read; i++) {
                for (; asked < Math.min(read, i + AHEAD); asked++) {
                    ahead.add(reader.read(seats.get(asked), asked < holding));
                }
                reader.await(ahead.remove()).ifPresent(queue::add);
            }
        } finally {
            // the readings that are not answered yet, if one failed
            ahead.forEach(reading -> reading.cancel(false));
        }
        for (int i = read; i < seats.size(); i++) {
            queue.add(describe(seats.get(i), i < holding, Optional.empty()));
        }
        return queue;
    }

    /**
     * Returns a seat as the inspector shows it.
     *
     * @param node empty if it was not read
     */
    public static Seat describe(SeatName seat, boolean holds, Optional<Node> node) {
        return new Seat(
                seat.id(),
                seat.demand().kind(),
                seat.demand().permits(),
                seat.demand().of(),
                holds,
                seat.sequence(),
                node.map(read -> Long.toHexString(read.owner())).orElse(""),
                node.flatMap(read -> OwnerDescription.read(read.data())));
    }
}
