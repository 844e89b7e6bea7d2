package io.github.zklock.zookeeper;

import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.Refusal.Reason;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The local queue in front of one lock: claims of this process wait here, first come first served, and pass one at a
 * time, each with a turn on a seat. It exists while somebody holds, waits or lingers, and no longer. (M16, M17)
 *
 * <p>Owned by the loop.
 */
final class Turnstile implements SeatRow.Host, Askers.Host {

    private final LockName name;
    private final EngineContext context;
    private final SeatRow seats;
    private final Askers askers;
    private final Returners returners;

    /** Those who wait for a turn. */
    private final Set<Claim> waiting = new LinkedHashSet<>();

    private @Nullable Turn turn;

    Turnstile(LockName name, EngineContext context) {
        String folder = LockFolder.of(context.settings().basePath(), name);
        this.name = name;
        this.context = context;
        this.seats = new SeatRow(this, context, folder);
        this.askers = new Askers(this, folder);
        this.returners = new Returners(context);
    }

    LockName name() {
        return name;
    }

    Optional<Turn> turn() {
        return Optional.ofNullable(turn);
    }

    void enter(Claim claim) {
        if (claim.patience().waitsForHolders()) {
            waiting.add(claim);
            proceed();
        } else if (turn != null || (!waiting.isEmpty() && isConnected())) {
            refuseBusy(claim);
        } else if (waiting.isEmpty() && seats.hasHead()) {
            waiting.add(claim);
            proceed();
        } else {
            askers.add(claim);
            context.keeper().connected().ifPresent(tenure -> askers.ask(claim, tenure));
        }
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> expire(claim));
            context.announcer().queued(claim, turn);
        }
    }

    /** A re-entry of a turn that cannot be proven at the moment. */
    void reenter(Claim claim, Turn own) {
        if (own == turn) {
            returners.add(claim);
            claim.armDeadline(context.time(), () -> expire(claim));
        } else {
            context.refuse(claim, Refusal.lostBeforeReentry(name));
        }
        proceed();
    }

    void withdraw(Claim claim) {
        forget(claim);
        claim.withdraw().ifPresent(context::giveBack);
        proceed();
    }

    void giveBack(Turn ended) {
        if (turn == ended) {
            endTurn();
            seats.turnEnded(ended, !waiting.isEmpty());
            proceed();
        }
    }

    /** Takes the turn from its holder. */
    void lose(Turn lost, String reason) {
        if (turn == lost) {
            endTurn();
            context.lost(lost, reason);
            seats.turnLost(lost);
            proceed();
        }
    }

    void connected(Tenure tenure) {
        seats.connectionRestored();
        askers.askAll(tenure);
        proceed();
    }

    /** The engine failed while the claim was entering: nothing may be left behind. (L19) */
    void failed(Claim claim, Throwable error) {
        forget(claim);
        if (claim.isOpen()) {
            context.refuse(claim, Refusal.failure(error).about(name));
        }
        proceed();
    }

    /** Ends all waits with this refusal. */
    void refuseAll(Refusal refusal) {
        for (Claim claim : claims().toList()) {
            forget(claim);
            context.refuse(claim, refusal.about(name));
        }
        proceed();
    }

    /** Takes everything back: the registry closes. */
    void close() {
        refuseAll(Refusal.closed());
        if (turn != null) {
            lose(turn, "its registry was closed");
        }
        seats.close();
        proceed();
    }

    /** Serves who can be served, asks for the seats that are needed, gives back those that are not. */
    void proceed() {
        answerReturners();
        serve();
        seats.adjust(turn != null, waiting);
        if (isIdle()) {
            context.retire(this);
        }
    }

    Optional<Held> held() {
        return turn().map(Turn::describe);
    }

    List<Awaited> awaited() {
        long now = context.time().nanoTime();
        return claims().map(claim -> new Awaited(name, claim.waiter(), Duration.ofNanos(now - claim.askedAt())))
                .toList();
    }

    @Override
    public void headReached() {
        proceed();
    }

    @Override
    public void someoneAhead() {
        // at most one, and the first: who only asks does not queue behind others here
        Claim first = waiting.isEmpty() ? null : waiting.iterator().next();
        if (first != null && !first.patience().waitsForHolders()) {
            waiting.remove(first);
            refuseBusy(first);
        }
        proceed();
    }

    @Override
    public void seatGone(Seat seat, String reason) {
        Turn current = turn;
        if (current != null && current.seat() == seat) {
            lose(current, reason);
        } else {
            proceed();
        }
    }

    @Override
    public void seatRefused(Refusal refusal) {
        refuseAll(refusal);
    }

    @Override
    public void foundFree(Claim claim) {
        if (turn != null || !waiting.isEmpty()) {
            refuseBusy(claim);
        } else {
            waiting.add(claim);
        }
        proceed();
    }

    @Override
    public void foundTaken(Claim claim, int ahead) {
        context.refuse(claim, Refusal.busy(claim, ahead + " contenders ahead"));
        proceed();
    }

    @Override
    public void askingFailed(Claim claim, Refusal refusal) {
        context.refuse(claim, refusal.about(name));
        proceed();
    }

    private boolean isIdle() {
        return turn == null && waiting.isEmpty() && askers.isEmpty() && returners.isEmpty() && seats.isEmpty();
    }

    private Stream<Claim> claims() {
        return Stream.of(waiting, askers.claims(), returners.claims()).flatMap(claims -> List.copyOf(claims).stream());
    }

    private void forget(Claim claim) {
        waiting.remove(claim);
        askers.remove(claim);
        returners.remove(claim);
    }

    private void endTurn() {
        turn = null;
        // before anybody else is served: those who return own this turn and no other
        answerReturners();
    }

    private void serve() {
        Stint stint = seats.headFor(waiting);
        if (turn != null || stint == null) {
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
        Turn granted = new Turn(claim, stint.nextToken(), seat, context.time());
        turn = granted;
        seats.turnBegan();
        try {
            context.grant(granted, claim);
        } catch (Throwable error) {
            if (!claim.isOpen()) {
                throw error;
            }
            endTurn();
            seats.turnLost(granted);
            failed(claim, error);
        }
    }

    private void answerReturners() {
        if (returners.answer(turn)) {
            context.wantProof(this);
        }
    }

    private void expire(Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        boolean owner = returners.claims().contains(claim);
        forget(claim);
        if (!owner && isContended()) {
            refuseBusy(claim);
        } else {
            String why = owner
                    ? "ZooKeeper did not confirm in time that it is still held"
                    : "ZooKeeper could not be reached or did not answer " + claim.patience() + trouble()
                            + "; whether others hold it is not known";
            context.refuse(claim, Refusal.of(Reason.UNAVAILABLE, why).about(name));
        }
        proceed();
    }

    /** Whether it is known, by a connection that is there, that others have the lock. */
    private boolean isContended() {
        return isConnected() && (turn != null || seats.ahead() > 0);
    }

    private boolean isConnected() {
        return context.keeper().connected().isPresent();
    }

    private String trouble() {
        String trouble = context.keeper().trouble();
        return trouble.isEmpty() ? "" : " (" + trouble + ")";
    }

    private void refuseBusy(Claim claim) {
        Turn current = turn;
        String who = current == null
                ? seats.ahead() + " contenders ahead"
                : "held by " + current.holder() + " of this process";
        context.refuse(claim, Refusal.busy(claim, who));
    }
}
