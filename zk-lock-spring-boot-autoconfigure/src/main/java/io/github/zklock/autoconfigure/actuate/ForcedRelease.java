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

/** The forced release of a seat. It logs the caller that requested it. */
final class ForcedRelease {

    private static final Logger LOG = LoggerFactory.getLogger(ForcedRelease.class);

    private final String registry;
    private final LockInspector inspector;

    /** @param registry the bean name of the registry, for the log */
    ForcedRelease(String registry, LockInspector inspector) {
        this.registry = registry;
        this.inspector = inspector;
    }

    /** The outcome of a forced release. */
    enum Outcome {
        /** The seat held the lock, and is deleted. */
        RELEASED(200),
        /** The seat waits. Nothing was changed. */
        NOT_HOLDING(409),
        /** The queue has no such seat, or no longer has it. */
        NOT_FOUND(404);

        private final int httpStatus;

        Outcome(int httpStatus) {
            this.httpStatus = httpStatus;
        }

        /** Returns the HTTP status for this outcome. */
        int httpStatus() {
            return httpStatus;
        }
    }

    /**
     * The outcome and the seat.
     *
     * @param seat the seat as it was read before the release, or after a release that failed
     */
    record Result(Outcome outcome, Optional<Seat> seat) {

        /** Returns the owner of the seat, as the owner describes itself; empty if unknown. */
        Optional<Owner> owner() {
            return seat.flatMap(Seat::owner);
        }
    }

    /**
     * Returns a description of the caller for the log. Control characters are replaced, so that a name cannot forge a
     * log line.
     */
    static String asker(@Nullable Principal principal) {
        return principal == null
                ? "an unauthenticated caller"
                : "'" + String.valueOf(principal.getName()).replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]", " ") + "'";
    }

    /** Releases the lock of this seat if the seat holds it. Sends up to three requests to the cluster. */
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
        // read the queue again: the release failed on a newer state of the queue than the first read
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
