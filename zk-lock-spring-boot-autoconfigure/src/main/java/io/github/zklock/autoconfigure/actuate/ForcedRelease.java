package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockName;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The forced release of a seat, which logs the caller that requested it. */
final class ForcedRelease {

    private static final Logger LOG = LoggerFactory.getLogger(ForcedRelease.class);

    private final String registry;
    private final LockInspector inspector;

    /** @param registry the bean name of the registry, for the log */
    ForcedRelease(String registry, LockInspector inspector) {
        this.registry = registry;
        this.inspector = inspector;
    }

    /** What became of it. */
    enum Outcome {
        /** The seat held and is gone. */
        RELEASED(200),
        /** The seat waits: nothing was done. */
        NOT_HOLDING(409),
        /** There is no such seat in the queue, or none any more. */
        NOT_FOUND(404);

        private final int httpStatus;

        Outcome(int httpStatus) {
            this.httpStatus = httpStatus;
        }

        /** The status of an answer over HTTP that tells it. */
        int httpStatus() {
            return httpStatus;
        }
    }

    /**
     * The outcome and the seat.
     *
     * @param seat as it was found, before a release or instead of one
     */
    record Result(Outcome outcome, Optional<Seat> seat) {

        /** Who made the seat, as it says itself; empty if that is not known. */
        Optional<Owner> owner() {
            return seat.flatMap(Seat::owner);
        }
    }

    /** Who asks, for the log: a name that a stranger chose must not forge a line of it. */
    static String asker(@Nullable Principal principal) {
        return principal == null
                ? "an unauthenticated caller"
                : "'" + String.valueOf(principal.getName()).replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]", " ") + "'";
    }

    /** Takes the lock from this seat, if it holds. Asks the cluster up to three questions. */
    Result of(LockName name, String seat, String asker) throws InterruptedException {
        Optional<Seat> before = find(name, seat);
        if (inspector.evict(name.value(), seat)) {
            LOG.warn(
                    "Lock '{}' of registry '{}' was taken from seat {} of {} on behalf of {}; the loss is reported to its holder",
                    name,
                    registry,
                    seat,
                    before.map(ForcedRelease::ownerOf).orElse("an unknown owner"),
                    asker);
            return new Result(Outcome.RELEASED, before);
        }
        // asked again: the refusal was decided on a newer state of the queue than the first answer
        Optional<Seat> after = find(name, seat);
        return new Result(after.isPresent() ? Outcome.NOT_HOLDING : Outcome.NOT_FOUND, after);
    }

    private Optional<Seat> find(LockName name, String seat) throws InterruptedException {
        return inspector.queue(name.value()).stream()
                .filter(each -> each.id().equals(seat))
                .findFirst();
    }

    private static String ownerOf(Seat seat) {
        return seat.owner()
                .map(owner -> "'" + owner.instance() + "' (host '" + owner.host() + "', process " + owner.pid()
                        + ", thread '" + owner.thread() + "')")
                .orElse("session " + seat.sessionId());
    }
}
