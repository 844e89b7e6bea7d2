package io.github.zklock.test;

import io.github.zklock.LockEvent;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.Claim.Granted;
import io.github.zklock.test.Claim.Refused;
import io.github.zklock.test.Claim.Withdrawn;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open claims of one member, oldest first, and how they end. Guarded by the ensemble's lock. */
final class Claims {

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    private final Member member;
    private final Set<Claim> open = new LinkedHashSet<>();

    Claims(Member member) {
        this.member = member;
    }

    /** Begins to wait. */
    void enter(Claim claim) {
        if (member.isClosed() && claim.own() == null) {
            refuseClosed(claim);
            return;
        }
        open.add(claim);
        proceed(claim);
        if (claim.isOpen() && claim.own() == null && !claim.patience().queues() && isHeldHere(claim)) {
            refuseBusy(claim);
        }
        if (claim.isOpen()) {
            await(claim);
        }
    }

    /** The asker went away, whatever the claim has come to meanwhile. */
    void withdraw(Claim claim) {
        if (claim.answer() instanceof Granted granted) {
            claim.become(new Withdrawn());
            if (granted.turn().dropHold() && !granted.turn().isOver()) {
                member.holdings().release(granted.turn());
            }
        } else if (claim.isOpen()) {
            claim.become(new Withdrawn());
            forget(claim);
        }
    }

    /** There is a connection, or a new session: whoever can be answered is, and whoever has no seat takes one. */
    void proceed() {
        List.copyOf(open).forEach(this::proceed);
    }

    /** Whoever wants to re-enter this turn cannot any more. */
    void turnEnded(Turn turn) {
        if (member.isConnected()) {
            // with a connection, nobody waits to re-enter
            return;
        }
        open.stream().filter(claim -> claim.own() == turn).toList().forEach(claim -> refuseReentry(claim, turn));
    }

    void grant(Claim claim, Turn turn) {
        open.remove(claim);
        claim.sitOn(null);
        turn.addHold();
        claim.become(new Granted(turn));
    }

    /** The registry closes. */
    void refuseAll() {
        List<Claim> all = List.copyOf(open);
        open.clear();
        all.forEach(this::refuseClosed);
    }

    /** By which policy those who wait for this lock do. */
    Optional<LockPolicy> policyOf(LockName name) {
        return open.stream()
                .filter(claim -> claim.name().equals(name))
                .map(Claim::policy)
                .findFirst();
    }

    List<Awaited> describe() {
        long now = member.alarms().nanoTime();
        return open.stream()
                .map(claim -> new Awaited(
                        claim.name(),
                        claim.demand().kind(),
                        claim.demand().permits(),
                        claim.asker(),
                        Duration.ofNanos(now - claim.askedAt())))
                .toList();
    }

    private void proceed(Claim claim) {
        Turn own = claim.own();
        if (!claim.isOpen() || claim.seat() != null) {
            return;
        }
        if (own != null && own.isOver()) {
            refuseReentry(claim, own);
        } else if (!member.isConnected()) {
            return;
        } else if (own == null) {
            approach(claim);
        } else {
            grant(claim, member.holdings().turnBeside(own, claim));
        }
    }

    private void approach(Claim claim) {
        Line line = member.ensemble().lineFor(claim.name());
        Seat clash = line.clashWith(claim.demand()).orElse(null);
        if (clash != null) {
            refuseMismatch(claim, clash);
        } else if (claim.patience().queues() || line.hasRoomFor(claim.demand())) {
            member.holdings().takeSeat(claim, line);
        } else {
            refuseBusy(claim);
        }
    }

    private void await(Claim claim) {
        if (claim.patience().nanos() < Long.MAX_VALUE) {
            long waited = member.alarms().nanoTime() - claim.askedAt();
            claim.limit(member.alarms().after(claim.patience().nanos() - waited, () -> giveUp(claim)));
        }
        if (claim.own() == null && claim.patience().queues()) {
            member.listeners().tell(new LockEvent.Queued(claim.name()));
            warnOfSelf(claim);
        }
    }

    private void warnOfSelf(Claim claim) {
        boolean forItself = claim.thread() != null
                && member.holdings().turns().stream()
                        .anyMatch(turn -> turn.name().equals(claim.name())
                                && turn.thread() == claim.thread()
                                && claim.demand().kind() != LockKind.PERMITS);
        if (forItself) {
            LOG.warn(
                    "Thread '{}' waits for lock '{}', which it acquired itself by a handle: it can only go on if that"
                            + " handle is closed elsewhere, or at its deadline",
                    claim.asker(),
                    claim.name());
        }
    }

    /** Whether no answer of the cluster is needed to know that others have the lock. */
    private boolean isHeldHere(Claim claim) {
        Front front = new Front();
        member.holdings().turns().stream()
                .filter(turn -> turn.name().equals(claim.name()))
                .forEach(turn -> front.add(turn.seat().demand()));
        return !front.leavesRoomFor(claim.demand());
    }

    private void giveUp(Claim claim) {
        if (member.isConnected()) {
            refuseBusy(claim);
        } else {
            refuseUnavailable(claim);
        }
    }

    private void refuseBusy(Claim claim) {
        LockName name = claim.name();
        String how = claim.patience().queues() ? claim.patience().text() : "at once";
        String message = "Lock '" + name + "' not acquired " + how + " (" + whoIsThere(claim) + ")";
        forget(claim);
        claim.become(new Refused(() -> new LockTimeoutException(name, message)));
        if (claim.patience().queues()) {
            member.listeners().tell(new LockEvent.TimedOut(name, waited(claim)));
        }
    }

    private String whoIsThere(Claim claim) {
        List<Seat> ahead = member.ensemble().line(claim.name()).stream()
                .flatMap(line -> line.seats().stream())
                .takeWhile(seat -> seat != claim.seat())
                .toList();
        return ahead.size() + " ahead, the first of them " + ahead.get(0).describeOwner();
    }

    private void refuseUnavailable(Claim claim) {
        LockName name = claim.name();
        String message = "Lock '" + name + "' not acquired: the cluster could not be reached "
                + claim.patience().text() + "; whether others hold it is not known";
        forget(claim);
        claim.become(new Refused(() -> new LockUnavailableException(name, message, null)));
        member.listeners().tell(new LockEvent.Unavailable(name, waited(claim)));
    }

    private void refuseMismatch(Claim claim, Seat clash) {
        LockName name = claim.name();
        String message =
                "Lock '%s' not acquired: thread '%s' of %s wants %s, but %s uses the name for %s; use one name for one thing"
                        .formatted(
                                name,
                                claim.asker(),
                                member.settings().instance(),
                                claim.demand().use(),
                                clash.describeOwner(),
                                clash.demand().use());
        forget(claim);
        claim.become(new Refused(() -> new LockMismatchException(name, message)));
    }

    private void refuseReentry(Claim claim, Turn own) {
        LockName name = claim.name();
        String end = own.state() == LockState.LOST ? "lost" : "given back";
        String message = "Lock '" + name + "' was " + end + " before it could be re-entered";
        forget(claim);
        claim.become(new Refused(() -> new LockLostException(name, message)));
    }

    private void refuseClosed(Claim claim) {
        LockName name = claim.name();
        String message = "Lock '" + name + "' not acquired: its registry is closed";
        Seat seat = claim.seat();
        if (seat != null) {
            seat.dropClaim();
        }
        claim.become(new Refused(() -> new LockRegistryClosedException(name, message)));
    }

    private void forget(Claim claim) {
        open.remove(claim);
        Seat seat = claim.seat();
        if (seat != null) {
            claim.sitOn(null);
            member.holdings().leave(seat);
        }
    }

    private Duration waited(Claim claim) {
        return member.alarms().since(claim.askedAt());
    }
}
