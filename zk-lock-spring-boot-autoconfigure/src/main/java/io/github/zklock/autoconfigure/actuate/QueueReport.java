package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockInspector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The queue of one lock in the cluster, as JSON. The queue of a lock that is neither held nor waited for is empty. */
record QueueReport(String name, Map<String, Queue> registries) implements OperationResponseBody {

    /** @param length the number of all seats, including seats that are not listed */
    record Queue(int length, List<Seat> seats) {

        static Queue of(List<LockInspector.Seat> seats) {
            return new Queue(
                    seats.size(),
                    seats.stream().limit(LocksReport.LONGEST_LIST).map(Seat::of).toList());
        }
    }

    /** @param owner null if the creator of the seat did not describe itself */
    record Seat(
            String id,
            String kind,
            int permits,
            int of,
            boolean holds,
            long sequence,
            String session,
            @Nullable Owner owner) {

        static Seat of(LockInspector.Seat seat) {
            return new Seat(
                    seat.id(),
                    seat.kind().name(),
                    seat.permits(),
                    seat.of(),
                    seat.holds(),
                    seat.sequence(),
                    seat.sessionId(),
                    seat.owner().map(Owner::of).orElse(null));
        }
    }

    /** The description that the owner of a seat wrote. It is not verified. */
    record Owner(
            String instance,
            String host,
            long pid,
            String thread,
            @Nullable String since) {

        static Owner of(LockInspector.Owner owner) {
            Instant since = owner.since();
            return new Owner(
                    owner.instance(),
                    owner.host(),
                    owner.pid(),
                    owner.thread(),
                    since == null ? null : Texts.of(since));
        }
    }
}
