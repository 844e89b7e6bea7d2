package io.github.zklock.actuate;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockName;
import io.github.zklock.actuate.ReleaseReport.Outcome;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a lock from its holder because somebody asks for it, and says in the log who did. */
final class ForcedRelease {

    private static final Logger LOG = LoggerFactory.getLogger(ForcedRelease.class);

    private final String registry;
    private final LockInspector inspector;

    ForcedRelease(String registry, LockInspector inspector) {
        this.registry = registry;
        this.inspector = inspector;
    }

    ReleaseReport of(LockName name, String seat, String asker) throws InterruptedException {
        Optional<Seat> before = find(name, seat);
        if (inspector.evict(name.value(), seat)) {
            LOG.warn(
                    "Lock '{}' of registry '{}' was taken from seat {} of {} on behalf of {}; its holder is told of a loss",
                    name,
                    registry,
                    seat,
                    before.map(ForcedRelease::ownerOf).orElse("an unknown owner"),
                    asker);
            return report(name, seat, Outcome.RELEASED, before);
        }
        // asked again: the refusal was decided on a newer state of the queue than the first answer
        Optional<Seat> after = find(name, seat);
        return report(name, seat, after.isPresent() ? Outcome.NOT_HOLDING : Outcome.NOT_FOUND, after);
    }

    private Optional<Seat> find(LockName name, String seat) throws InterruptedException {
        return inspector.queue(name.value()).stream()
                .filter(each -> each.id().equals(seat))
                .findFirst();
    }

    private ReleaseReport report(LockName name, String seat, Outcome outcome, Optional<Seat> found) {
        return new ReleaseReport(
                name.value(),
                registry,
                seat,
                outcome,
                found.flatMap(Seat::owner).map(QueueReport.Owner::of).orElse(null));
    }

    private static String ownerOf(Seat seat) {
        return seat.owner()
                .map(owner -> "'" + owner.instance() + "' (host '" + owner.host() + "', process " + owner.pid()
                        + ", thread '" + owner.thread() + "')")
                .orElse("session " + seat.sessionId());
    }
}
