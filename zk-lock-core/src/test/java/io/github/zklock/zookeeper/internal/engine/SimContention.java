package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Remembers who stood in the way of a claim, so that BUSY and MISMATCH can be told from an outage. */
final class SimContention {

    /** A seat that is, or was, committed. */
    private static final class Presence {
        final SimSeat seat;
        final long session;
        final long from;
        long until = Long.MAX_VALUE;

        Presence(SimSeat seat, long session, long from) {
            this.seat = seat;
            this.session = session;
            this.from = from;
        }
    }

    private final SimWorld world;
    private final Map<String, List<Presence>> presences = new HashMap<>();

    SimContention(SimWorld world) {
        this.world = world;
    }

    void committed(SimTxn txn) {
        for (SimTxn.Change change : txn.changes()) {
            String node = SimTree.nameOf(change.path());
            if (SimSeat.isSeat(node)) {
                List<Presence> folder =
                        presences.computeIfAbsent(SimTree.parentOf(change.path()), absent -> new ArrayList<>());
                if (change instanceof SimTxn.Change.Created created) {
                    SimSeat seat = SimSeat.of(node);
                    folder.add(new Presence(seat, created.owner(), world.now()));
                    world.tally().negativeNumbers += seat.sequence() < 0 ? 1 : 0;
                } else if (change instanceof SimTxn.Change.Deleted) {
                    folder.stream()
                            .filter(each -> each.seat.node().equals(node))
                            .forEach(each -> each.until = Math.min(each.until, world.now()));
                }
            }
        }
    }

    /** When the seat was committed. */
    long cameAt(String folder, SimSeat seat) {
        return presences.getOrDefault(folder, List.of()).stream()
                .filter(each -> each.seat.equals(seat))
                .mapToLong(each -> each.from)
                .findFirst()
                .orElse(world.now());
    }

    /** Whether others had, awaited or queued for so much of the lock while this claim was open that it had to wait. */
    boolean wasInTheWay(SimContender contender) {
        Demand wanted = contender.demand();
        if (wanted.permits() == 1 && wanted.of() == 1) {
            boolean beside = wanted.equals(Demand.READ);
            return isSomebody(contender, other -> wanted.agreesWith(other) && !(beside && other.equals(Demand.READ)));
        }
        List<Presence> seats = seats(contender);
        List<Demand> claims =
                claims(contender).stream().map(SimContender::demand).toList();
        // each view that a server may have shown is that of an instant, and the queue grows when a seat comes
        return !SimModel.fits(wanted, claims.stream())
                || seats.stream()
                        .anyMatch(last -> !SimModel.fits(
                                wanted,
                                Stream.concat(
                                        claims.stream(),
                                        seats.stream()
                                                .filter(each -> each.from <= last.from && each.until >= last.from)
                                                .map(each -> each.seat.demand()))));
    }

    /**
     * Whether all that stood in the way were seats that linger, for the whole time of the claim: no process but their own
     * had anything to do with the lock, and nobody there wanted or held it. (L30)
     */
    boolean onlyLingered(SimContender contender) {
        long since = contender.askedAt() - world.promptly();
        return world.contenders().stream()
                        .noneMatch(other -> other != contender
                                && other.lock().equals(contender.lock())
                                && other.wasThereSince(since))
                && presences.getOrDefault(world.folder(contender.lock()), List.of()).stream()
                        .filter(each -> each.until >= since)
                        .allMatch(each -> isOfAWellProcess(each.session));
    }

    private boolean isOfAWellProcess(long session) {
        return world.processes().stream().anyMatch(each -> each.client().session() == session && each.isWell());
    }

    /**
     * Whether the first seat of the queue was of another kind when this seat was committed, and stayed long enough for the
     * engine to reject the claim. The first seat decides: a stranger behind it is to leave. Where the process had a seat before,
     * that one is to be rejected.
     */
    boolean wasBehindAnotherKind(SimContender contender, String path) {
        List<Presence> folder = presences.getOrDefault(world.folder(contender.lock()), List.of());
        Presence own = folder.stream()
                .filter(each -> each.seat.node().equals(SimTree.nameOf(path)) && each.until == Long.MAX_VALUE)
                .findFirst()
                .orElse(null);
        if (own == null
                || !contender.process().client().isConnectedSince(own.from)
                || !world.faults().areQuietSince(own.from - world.promptly())) {
            return false;
        }
        List<Presence> before = folder.stream()
                .filter(each -> each.from < own.from && each.until >= own.from)
                .toList();
        return before.stream().noneMatch(each -> each.session == own.session)
                && before.stream()
                        // by its number, which a seat keeps that was downgraded later
                        .min(Comparator.comparing(each -> each.seat))
                        .filter(first -> !contender.demand().agreesWith(first.seat.demand())
                                && first.until >= own.from + 2 * world.promptly())
                        .isPresent();
    }

    /** What its process ever had of the queue that it asks for. */
    Stream<SimSeat> seatsOfProcess(SimContender contender) {
        return presences.getOrDefault(world.folder(contender.lock()), List.of()).stream()
                .filter(each -> contender.process().hadSession(each.session))
                .map(each -> each.seat);
    }

    /** Whether somebody was there who takes the lock for another one. */
    boolean wasMistaken(SimContender contender) {
        return isSomebody(contender, other -> !contender.demand().agreesWith(other));
    }

    private boolean isSomebody(SimContender contender, Predicate<Demand> like) {
        return claims(contender).stream().anyMatch(other -> like.test(other.demand()))
                || seats(contender).stream().anyMatch(each -> like.test(each.seat.demand()));
    }

    /** The other claims of its process, and those whose seats may still be on their way. */
    private List<SimContender> claims(SimContender contender) {
        LockName lock = contender.lock();
        return world.contenders().stream()
                .filter(other -> other != contender
                        && other.process() == contender.process()
                        && other.lock().equals(lock)
                        && other.wasThereSince(laggingSince(contender)))
                .toList();
    }

    /** What a server that lags behind may have shown, apart from the claim's own seats. */
    private List<Presence> seats(SimContender contender) {
        long since = laggingSince(contender);
        long own = contender.process().client().session();
        return presences.getOrDefault(world.folder(contender.lock()), List.of()).stream()
                .filter(each -> each.until >= since)
                .filter(each -> each.session != own || each.until < Long.MAX_VALUE || each.from < contender.askedAt())
                .toList();
    }

    private long laggingSince(SimContender contender) {
        return contender.askedAt() - world.ensemble().patience() - world.timeout();
    }
}
