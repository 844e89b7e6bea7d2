package io.github.zklock.console;

import io.github.zklock.LockInspector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one lock over the cluster, as JSON. A lock that nobody wants has an empty one.
 *
 * @param length counts also the seats beyond those that are shown, as does holding
 * @param problem why this is not as things are now; null if it is
 */
record QueueReport(
        String registry,
        String name,
        int length,
        int holding,
        List<Seat> seats,
        @Nullable String problem) implements JsonRecord {

    /**
     * @param mine whether it belongs to this process
     * @param token of a seat that is held here; a text, as it does not fit into a number of JavaScript's
     * @param owner null if the seat's maker did not say who it is
     */
    record Seat(
            String id,
            String kind,
            int permits,
            boolean holds,
            long sequence,
            String session,
            boolean mine,
            @Nullable String token,
            @Nullable Owner owner)
            implements JsonRecord {

        /** @param tokens of what is held here, by seat */
        static Seat of(LockInspector.Seat seat, String session, Map<String, String> tokens) {
            return new Seat(
                    seat.id(),
                    seat.kind().name(),
                    seat.permits(),
                    seat.holds(),
                    seat.sequence(),
                    seat.sessionId(),
                    !session.isEmpty() && seat.sessionId().equals(session),
                    tokens.get(seat.id()),
                    seat.owner().map(Owner::of).orElse(null));
        }
    }

    /** What the seat's maker says of itself: not verified. */
    record Owner(
            String instance,
            String host,
            long pid,
            String thread,
            @Nullable String since) implements JsonRecord {

        static Owner of(LockInspector.Owner owner) {
            Instant since = owner.since();
            return new Owner(
                    owner.instance(),
                    owner.host(),
                    owner.pid(),
                    owner.thread(),
                    since == null ? null : since.toString());
        }
    }
}
