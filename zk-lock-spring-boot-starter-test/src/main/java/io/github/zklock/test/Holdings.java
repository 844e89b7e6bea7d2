package io.github.zklock.test;

import io.github.zklock.FencingToken;
import io.github.zklock.LockEvent;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.Alarms.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one member has in the cluster: its seats, and the turns they serve. What ends here is seen by the cluster while
 * there is a connection, or once there is one again. Guarded by the ensemble's lock.
 */
final class Holdings {

    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    private final Member member;
    private final HoldWatch holdWatch;
    private final Set<Seat> seats = new LinkedHashSet<>();
    private final Set<Turn> turns = new LinkedHashSet<>();
    /** Over here, and not yet seen to be over by the cluster. */
    private final List<Turn> endedTurns = new ArrayList<>();

    private final Set<Seat> leftSeats = new LinkedHashSet<>();

    Holdings(Member member) {
        this.member = member;
        this.holdWatch = new HoldWatch(member);
    }

    /** What is held, oldest grant first. */
    Set<Turn> turns() {
        return turns;
    }

    /** By which policy this lock is held. */
    Optional<LockPolicy> policyOf(LockName name) {
        return turns.stream()
                .filter(turn -> turn.name().equals(name))
                .map(Turn::policy)
                .findFirst();
    }

    /** Makes a place in the line for this claim. */
    void takeSeat(Claim claim, Line line) {
        Seat seat = new Seat(line, member, member.ensemble().nextNumber(), member.session(), claim);
        claim.sitOn(seat);
        seats.add(seat);
        line.seats().add(seat);
        line.serve();
    }

    /** A claim needs its seat no longer. */
    void leave(Seat seat) {
        seat.dropClaim();
        leftSeats.add(seat);
        settleIfConnected();
    }

    /** Those in front of the seat leave room for it. */
    void grant(Seat seat, Claim claim) {
        seat.dropClaim();
        FencingToken token = new FencingToken(member.ensemble().nextNumber());
        member.claims().grant(claim, begin(new Turn(claim.demand().kind(), token, seat, claim)));
    }

    /** The turn that the owner of this one re-enters: this one, or where a writer wants to read, one with its token. */
    Turn turnBeside(Turn own, Claim claim) {
        Seat seat = own.seat();
        LockKind wanted = claim.demand().kind();
        return seat.turns().stream()
                .filter(turn -> turn.kind() == wanted && !turn.isOver())
                .findFirst()
                .orElseGet(() -> begin(new Turn(wanted, own.token(), seat, claim)));
    }

    /** The last hold was dropped. */
    void release(Turn turn) {
        turn.endReleased();
        ended(turn);
        member.listeners().tell(new LockEvent.Released(turn.name(), turn.token(), turn.held()));
        settleIfConnected();
        member.claims().turnEnded(turn);
        member.turnEnded();
    }

    /** Takes a turn from its holder. */
    void lose(Turn turn, String reason) {
        if (!turn.isOver()) {
            end(turn, reason);
            settleIfConnected();
            member.turnEnded();
        }
    }

    /** Takes a turn from its holder when this time is over, unless the alarm is cancelled before. */
    Alarm limit(Turn turn, Duration time, String reason) {
        Alarm alarm = member.alarms().after(Alarms.nanos(time), () -> lose(turn, reason));
        turn.limit(alarm);
        return alarm;
    }

    /** Takes all turns from their holders; the cluster is still to see it. */
    void loseAll(String reason) {
        List.copyOf(turns).forEach(turn -> end(turn, reason));
    }

    /** As {@link #loseAll}, for this seat, which the cluster has no longer. */
    void loseSeat(Seat seat, String reason) {
        seats.remove(seat);
        forgetClaim(seat);
        turns.stream().filter(turn -> turn.seat() == seat).toList().forEach(turn -> end(turn, reason));
    }

    /** As {@link #loseSeat}, for all that were deleted while nobody could be told. */
    void loseSeatsThatAreGone() {
        seats.stream()
                .filter(seat -> !seat.isInLine())
                .toList()
                .forEach(seat -> loseSeat(seat, "its place in the queue was deleted"));
    }

    /** Leaves the seats on which nobody holds, and nobody waits any more. */
    void leaveUnheldSeats() {
        seats.stream().filter(Seat::isSpent).forEach(leftSeats::add);
        settleIfConnected();
    }

    /** The cluster deletes all seats, and serves the others in their lines. */
    void removeSeats() {
        List<Seat> all = List.copyOf(seats);
        seats.clear();
        all.forEach(member.ensemble()::remove);
        all.forEach(this::forgetClaim);
        all.forEach(seat -> seat.line().serve());
    }

    /** Grants what could not be granted without a connection. */
    void serveLines() {
        List.copyOf(seats).forEach(seat -> seat.line().serve());
    }

    /** The cluster sees what has ended here. */
    void settle() {
        List<Turn> seen = List.copyOf(endedTurns);
        List<Seat> left = List.copyOf(leftSeats);
        endedTurns.clear();
        leftSeats.clear();
        seen.forEach(turn -> turn.seat().drop(turn));
        for (Seat seat : left) {
            if (seat.isSpent()) {
                seats.remove(seat);
                member.ensemble().remove(seat);
            }
        }
        left.forEach(seat -> seat.line().serve());
        seen.forEach(this::completeReleased);
    }

    /** There will be no connection any more. */
    void giveUpReleases() {
        endedTurns.forEach(this::failReleased);
    }

    private Turn begin(Turn turn) {
        turn.seat().add(turn);
        turns.add(turn);
        Duration maxHold = turn.policy().maxHold();
        if (maxHold != null) {
            limit(turn, maxHold, "the maximum hold of " + maxHold + " is over");
        }
        holdWatch.begin();
        member.listeners().tell(new LockEvent.Acquired(turn.name(), turn.token(), turn.waited()));
        return turn;
    }

    private void end(Turn turn, String reason) {
        turn.endLost("Lock '%s' was lost after %s: %s".formatted(turn.name(), turn.held(), reason));
        LOG.warn("{}; work of {} under token {} must stop", turn.lossReason(), turn.holder(), turn.token());
        ended(turn);
        turn.lossActions().forEach(member.ensemble().workers()::runLossAction);
        member.listeners().tell(new LockEvent.Lost(turn.name(), turn.token(), reason));
        member.claims().turnEnded(turn);
    }

    private void ended(Turn turn) {
        turns.remove(turn);
        endedTurns.add(turn);
        leftSeats.add(turn.seat());
    }

    private void settleIfConnected() {
        if (member.isConnected()) {
            settle();
        }
    }

    private void forgetClaim(Seat seat) {
        Claim waiting = seat.claim();
        if (waiting != null) {
            waiting.sitOn(null);
        }
    }

    private void completeReleased(Turn turn) {
        CompletableFuture<Void> released = turn.released();
        member.ensemble().workers().call(() -> released.complete(null));
    }

    private void failReleased(Turn turn) {
        LockName name = turn.name();
        CompletableFuture<Void> released = turn.released();
        LockUnavailableException unseen = new LockUnavailableException(
                name,
                "The release of lock '" + name
                        + "' was not seen: its registry was closed without a connection; the lock"
                        + " is free once its session has expired",
                null);
        member.ensemble().workers().call(() -> released.completeExceptionally(unseen));
    }
}
