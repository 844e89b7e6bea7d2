package io.github.zklock.console;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Seat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the locks in the cluster, as JSON.
 *
 * @param total how many there are that were asked for
 * @param known how many there are
 * @param truncated whether there are more than the console knows of
 * @param takenAt when the names were read, in milliseconds of the epoch; 0 if they never were
 * @param problem why this is not as things are now; null if it is
 */
record LocksPage(
        String registry,
        int total,
        int known,
        boolean truncated,
        long takenAt,
        int offset,
        List<Row> page,
        @Nullable String problem)
        implements JsonRecord {

    /**
     * @param kind what the first in the queue asks for; null if nobody is there, or that is not known
     * @param seats null if the queue is not known, as are the other numbers then
     * @param here what this process has to do with it; null if nothing
     */
    record Row(
            String name,
            @Nullable String kind,
            @Nullable Integer seats,
            @Nullable Integer holding,
            @Nullable Integer waiting,
            List<Holder> holders,
            @Nullable Here here)
            implements JsonRecord {

        static Row unknown(String name, @Nullable Here here) {
            return new Row(name, null, null, null, null, List.of(), here);
        }

        static Row of(String name, Queue queue, @Nullable Here here) {
            return new Row(
                    name,
                    queue.first().stream()
                            .findFirst()
                            .map(head -> head.kind().name())
                            .orElse(null),
                    queue.length(),
                    queue.holding(),
                    queue.length() - queue.holding(),
                    queue.first().stream().filter(Seat::holds).map(Holder::of).toList(),
                    here);
        }
    }

    /** What a holder says of itself; empty if nothing. */
    record Holder(String instance, String thread) implements JsonRecord {

        static Holder of(Seat seat) {
            return new Holder(
                    seat.owner().map(LockInspector.Owner::instance).orElse(""),
                    seat.owner().map(LockInspector.Owner::thread).orElse(""));
        }
    }

    /** What this process has to do with a lock. */
    enum Here {
        HELD,
        WAITING
    }
}
