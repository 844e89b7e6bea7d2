package io.github.zklock.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes nodes of this registry that no seat and no deletion knows of. Such a node would block its lock for as long as the
 * session lives. Owned by the loop.
 *
 * <p>Not expected to find any: each one is an error of this library, and is reported as such. (L25)
 */
final class OrphanSweep {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

    /** Ticks between two sweeps, of which there are eight in a session timeout. */
    private static final int TICKS = 8;
    /** A longer answer takes the servers and the network more time than it is worth. */
    private static final int MOST_SEATS = 2_000;

    private final String basePath;
    private final Predicate<String> ours;
    private final Departures departures;

    /** Nodes that nobody knew of at the last sweep. The server may have answered from an old copy, so they are not deleted yet. */
    private Set<String> suspects = Set.of();

    private boolean hadSeats;
    private int ticks;

    /** @param ours whether this registry has made a seat of this id */
    OrphanSweep(String basePath, Predicate<String> ours, Departures departures) {
        this.basePath = basePath;
        this.ours = ours;
        this.departures = departures;
    }

    /** Sweeps once in eight ticks, unless the session had no seats meanwhile. */
    void tick(Tenure tenure) {
        int seats = tenure.seats().size();
        hadSeats |= seats > 0 || !departures.isEmpty();
        if (++ticks >= TICKS && (hadSeats || !suspects.isEmpty()) && seats <= MOST_SEATS) {
            ticks = 0;
            hadSeats = seats > 0;
            tenure.ephemerals(basePath, (outcome, paths) -> swept(tenure, outcome, paths));
        }
    }

    private void swept(Tenure tenure, Outcome outcome, @Nullable List<String> paths) {
        if (outcome != Outcome.OK || paths == null || tenure.hasEnded()) {
            return;
        }
        Set<String> known = departures.leaving();
        tenure.seats().forEach(seat -> known.add(seat.id()));
        Set<String> unknown = new HashSet<>();
        for (String path : paths) {
            Optional<SeatName> name = SeatName.parse(path.substring(path.lastIndexOf('/') + 1));
            if (name.isPresent()
                    && ours.test(name.get().id())
                    && !known.contains(name.get().id())) {
                unknown.add(path);
                if (suspects.contains(path)) {
                    delete(tenure, path, name.get());
                }
            }
        }
        suspects = unknown;
    }

    private void delete(Tenure tenure, String path, SeatName name) {
        LOG.error(
                "Node {} of session {} belongs to no seat and blocks its lock; deleting it. This is a bug of zk-lock",
                path,
                Long.toHexString(tenure.sessionId()));
        Departure departure = new Departure(path.substring(0, path.lastIndexOf('/')), name.id(), tenure);
        departure.of(name);
        departures.begin(departure);
    }
}
