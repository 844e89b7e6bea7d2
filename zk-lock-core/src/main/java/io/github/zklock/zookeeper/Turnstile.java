package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.Refusal.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The local queue in front of one lock: claims of this process wait here, first come first served, and pass one at a
 * time, each with a turn on a seat. It exists while somebody holds, waits or lingers, and no longer. (M16, M17)
 *
 * <p>Under {@code BOUNDED} there is at most one seat at a time; under {@code STRICT} there is one for each claim, and
 * whichever reaches the head serves the first claim.
 *
 * <p>Owned by the loop.
 */
final class Turnstile implements Seat.Host, Stint.Host {

    private final LockName name;
    private final String folder;
    private final EngineContext context;
    private final HandOff handOff;

    /** Those who wait for a turn. */
    private final Set<Claim> waiting = new LinkedHashSet<>();
    /** Those who only ask, until the cluster has answered. */
    private final Set<Claim> asking = new LinkedHashSet<>();
    /** Those who own the turn and want it proven before they go on. */
    private final Set<Claim> returning = new LinkedHashSet<>();

    private final List<Seat> seats = new ArrayList<>(1);
    private @Nullable Stint stint;
    private @Nullable Turn turn;
    /** The turn before, while its seat is kept: its release is seen when the seat is used again, or is gone. */
    private @Nullable Turn settling;

    Turnstile(LockName name, EngineContext context) {
        this.name = name;
        this.context = context;
        this.folder = LockFolder.of(context.settings().basePath(), name);
        this.handOff = context.settings().handOff();
    }

    LockName name() {
        return name;
    }

    /** Whether nobody holds, waits or lingers. */
    boolean isIdle() {
        return turn == null && waiting.isEmpty() && asking.isEmpty() && returning.isEmpty() && seats.isEmpty();
    }

    Optional<Turn> turn() {
        return Optional.ofNullable(turn);
    }

    void enter(Claim claim) {
        if (claim.patience().waitsForHolders()) {
            waiting.add(claim);
            proceed();
        } else if (turn != null || !waiting.isEmpty()) {
            refuseBusy(claim);
        } else if (stint != null) {
            waiting.add(claim);
            proceed();
        } else {
            asking.add(claim);
            context.keeper().connected().ifPresent(tenure -> ask(claim, tenure));
        }
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> expire(claim));
            context.queued(claim, turn);
        }
    }

    /** A re-entry of a turn that cannot be proven at the moment. */
    void reenter(Claim claim, Turn own) {
        returning.add(claim);
        claim.armDeadline(context.time(), () -> expire(claim));
        if (own == turn) {
            proceed();
        } else {
            returning.remove(claim);
            refuseLost(claim);
            proceed();
        }
    }

    void withdraw(Claim claim) {
        waiting.remove(claim);
        asking.remove(claim);
        returning.remove(claim);
        claim.withdraw().ifPresent(given -> context.giveBack(given));
        proceed();
    }

    void giveBack(Turn ended) {
        if (turn == ended) {
            turn = null;
            ended.seat().tenure().turnEnded();
            settle(ended);
            proceed();
        }
    }

    /** Takes the turn from its holder. */
    void lose(Turn lost, String reason) {
        if (turn == lost) {
            turn = null;
            lost.seat().tenure().turnEnded();
            context.lost(lost, reason);
            answerReturning();
            if (seats.contains(lost.seat())) {
                dismiss(lost.seat(), lost);
            }
            proceed();
        }
    }

    void connected(Tenure tenure) {
        List.copyOf(seats).forEach(Seat::connectionRestored);
        if (stint != null) {
            stint.connectionRestored();
        }
        List.copyOf(asking).forEach(claim -> ask(claim, tenure));
        proceed();
    }

    /** The engine failed while the claim was entering: nothing may be left behind. (L19) */
    void failed(Claim claim, Throwable error) {
        waiting.remove(claim);
        asking.remove(claim);
        if (claim.isOpen()) {
            context.refuse(claim, describe(new Refusal(Reason.UNAVAILABLE, "the engine failed: " + error, error)));
        }
        proceed();
    }

    /** Ends all waits with this refusal. */
    void refuseAll(Refusal refusal) {
        List<Claim> all = new ArrayList<>(waiting);
        all.addAll(asking);
        all.addAll(returning);
        waiting.clear();
        asking.clear();
        returning.clear();
        all.forEach(claim -> context.refuse(claim, describe(refusal)));
        proceed();
    }

    /** Takes everything back: the registry closes. */
    void close() {
        refuseAll(Refusal.closed(name));
        if (turn != null) {
            lose(turn, "its registry was closed");
        }
        List.copyOf(seats).forEach(seat -> dismiss(seat, null));
        context.retire(this);
    }

    /** Serves who can be served, asks for the seats that are needed, gives back those that are not. */
    void proceed() {
        if (turn == null && stint != null && !waiting.isEmpty() && !stint.mayServeAnother() && stint.isUsed()) {
            dismiss(stint.seat(), null);
        }
        answerReturning();
        serve();
        if (turn == null && waiting.isEmpty() && stint != null) {
            if (stint.mayLinger() && stint.isUsed()) {
                stint.linger();
            } else {
                dismiss(stint.seat(), null);
            }
        }
        adjustSeats();
        if (turn != null && !waiting.isEmpty() && stint != null) {
            stint.claimsWait();
        }
        if (isIdle()) {
            context.retire(this);
        }
    }

    @Override
    public void reachedHead(Seat seat) {
        if (stint != null && stint.seat() != seat) {
            // nobody stands in front of this seat, so the one that served until now is gone
            stint.seat().vanished("its node was deleted");
        }
        stint = new Stint(seat, folder, handOff, context.time(), this);
        proceed();
    }

    @Override
    public void inLine(Seat seat) {
        for (Claim claim : List.copyOf(waiting)) {
            if (!claim.patience().waitsForHolders()) {
                waiting.remove(claim);
                refuseBusy(claim);
            }
        }
        proceed();
    }

    @Override
    public void gone(Seat seat, String reason) {
        seats.remove(seat);
        if (stint != null && stint.seat() == seat) {
            stint.end();
            stint = null;
            Turn lost = turn;
            if (settling != null) {
                Turn before = settling;
                seat.leave().whenGone(() -> context.released(before));
                settling = null;
            }
            if (lost != null && lost.seat() == seat) {
                seat.leave().whenGone(() -> context.released(lost));
                lose(lost, reason);
            }
        }
        proceed();
    }

    @Override
    public void refused(Seat seat, Refusal refusal) {
        gone(seat, refusal.message());
        refuseAll(refusal);
    }

    @Override
    public void endIfIdle(Stint ended) {
        if (stint == ended && turn == null && waiting.isEmpty()) {
            dismiss(ended.seat(), null);
            proceed();
        }
    }

    Optional<Held> held() {
        return turn().map(Turn::describe);
    }

    List<Awaited> awaited() {
        List<Claim> all = new ArrayList<>(waiting);
        all.addAll(asking);
        return all.stream()
                .map(claim -> new Awaited(
                        name, claim.waiter(), Duration.ofNanos(context.time().nanoTime() - claim.askedAt())))
                .toList();
    }

    private void serve() {
        if (turn != null || stint == null || waiting.isEmpty()) {
            return;
        }
        Seat seat = stint.seat();
        if (!seat.tenure().isValid(context.time().nanoTime())) {
            context.wantProof(this);
            return;
        }
        if (Tokens.epoch(seat.czxid()) > Tokens.MAX_EPOCH) {
            refuseAll(Refusal.of(
                    Reason.UNAVAILABLE,
                    "the ensemble's epoch " + Tokens.epoch(seat.czxid())
                            + " does not fit into a fencing token (at most " + Tokens.MAX_EPOCH
                            + "); a new ensemble is needed"));
            return;
        }
        Iterator<Claim> first = waiting.iterator();
        Claim claim = first.next();
        first.remove();
        seat.tenure().turnBegan();
        Turn granted = new Turn(claim, stint.nextToken(), seat, context.time());
        turn = granted;
        if (settling != null) {
            context.released(settling);
            settling = null;
        }
        context.granted(granted, claim);
    }

    /** What becomes of the seat when a turn was given back. */
    private void settle(Turn ended) {
        Stint current = stint;
        if (current != null && current.seat() == ended.seat()) {
            boolean keep = waiting.isEmpty() ? current.mayLinger() : current.mayServeAnother();
            if (keep) {
                settling = ended;
            } else {
                dismiss(ended.seat(), ended);
            }
        }
    }

    private void dismiss(Seat seat, @Nullable Turn ended) {
        seats.remove(seat);
        if (stint != null && stint.seat() == seat) {
            stint.end();
            stint = null;
        }
        Departure departure = seat.leave();
        if (ended != null) {
            departure.whenGone(() -> context.released(ended));
        }
        Turn before = settling;
        if (before != null && before.seat() == seat) {
            departure.whenGone(() -> context.released(before));
            settling = null;
        }
    }

    private void adjustSeats() {
        int wanted = handOff.policy() == HandOff.Policy.STRICT
                ? waiting.size() + (turn == null ? 0 : 1)
                : Math.min(1, waiting.size() + (turn == null && stint == null ? 0 : 1));
        for (int i = seats.size() - 1; i >= 0 && seats.size() > wanted; i--) {
            Seat surplus = seats.get(i);
            if (stint == null || stint.seat() != surplus) {
                dismiss(surplus, null);
            }
        }
        Tenure tenure = context.keeper().connected().orElse(null);
        while (tenure != null && seats.size() < wanted && !waiting.isEmpty()) {
            Seat seat = context.newSeat(this, tenure, folder, seekerOf(seats.size()));
            seats.add(seat);
            seat.enter();
        }
    }

    /** For whom the next seat is asked: of several waiting, the one in that place. */
    private Claim seekerOf(int seatsBefore) {
        int place = Math.min(waiting.size() - 1, Math.max(0, seatsBefore - (turn == null ? 0 : 1)));
        return waiting.stream().skip(place).findFirst().orElseThrow();
    }

    /** One round trip without a write: whether anybody stands in the queue. */
    private void ask(Claim claim, Tenure tenure) {
        tenure.sync(folder, (outcome, none) -> {});
        tenure.list(folder, (outcome, children) -> {
            if (!asking.contains(claim)) {
                return;
            }
            int ahead = outcome == Outcome.OK && children != null
                    ? Line.of(children).seats().size()
                    : 0;
            if (ahead > 0 || turn != null || !waiting.isEmpty()) {
                asking.remove(claim);
                refuseBusy(claim);
                proceed();
            } else if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
                asking.remove(claim);
                waiting.add(claim);
                proceed();
            } else if (outcome == Outcome.UNKNOWN) {
                ask(claim, tenure);
            } else if (outcome == Outcome.ACCESS_DENIED) {
                asking.remove(claim);
                context.refuse(
                        claim,
                        describe(Refusal.of(
                                Reason.DENIED, "the access list of " + folder + " forbids this client to list it")));
                proceed();
            }
        });
    }

    private void answerReturning() {
        if (returning.isEmpty()) {
            return;
        }
        boolean proven = turn != null && turn.isHeld();
        if (turn == null || proven) {
            List<Claim> all = List.copyOf(returning);
            returning.clear();
            for (Claim claim : all) {
                if (turn != null && turn.addHold()) {
                    claim.grant(turn);
                } else {
                    refuseLost(claim);
                }
            }
        } else {
            context.wantProof(this);
        }
    }

    private void expire(Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        boolean owner = returning.contains(claim);
        waiting.remove(claim);
        asking.remove(claim);
        returning.remove(claim);
        if (!owner && isContended()) {
            refuseBusy(claim);
        } else {
            context.refuse(
                    claim,
                    describe(
                            Refusal.of(
                                    Reason.UNAVAILABLE,
                                    owner
                                            ? "ZooKeeper did not confirm in time that it is still held"
                                            : "ZooKeeper could not be reached or did not answer; whether others hold it is not known")));
        }
        proceed();
    }

    /** Whether it is known, by a connection that is there, that others have the lock. */
    private boolean isContended() {
        return context.keeper().connected().isPresent()
                && (turn != null || seats.stream().anyMatch(seat -> seat.ahead() > 0));
    }

    private void refuseLost(Claim claim) {
        context.refuse(claim, Refusal.of(Reason.LOST, "Lock '" + name + "' was lost before it could be re-entered"));
    }

    private void refuseBusy(Claim claim) {
        int ahead = seats.stream().mapToInt(Seat::ahead).max().orElse(0);
        String who = turn != null ? "held by " + turn.holder() + " of this process" : ahead + " contenders ahead";
        String how = claim.patience().waitsForHolders() ? claim.patience().toString() : "at once";
        context.refuse(claim, Refusal.of(Reason.BUSY, "Lock '" + name + "' not acquired " + how + " (" + who + ")"));
    }

    private Refusal describe(Refusal refusal) {
        return refusal.message().startsWith("Lock '")
                ? refusal
                : new Refusal(
                        refusal.reason(), "Lock '" + name + "' not acquired: " + refusal.message(), refusal.cause());
    }
}
