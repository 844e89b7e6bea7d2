package io.github.zklock.zookeeper;

import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.Succession.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The local queue in front of one lock: claims of this process wait here, first come first served, and pass, each with
 * a turn on a seat: one at a time, or several together that can share. It exists while somebody holds, waits or lingers, and no longer. (M16, M17)
 *
 * <p>Owned by the loop.
 */
final class Turnstile implements SeatRow.Host, Askers.Host, Returners.Host {

    private final LockName name;
    /** What those who hold and wait here ask for: all of them agree. */
    private Demand use;

    private final LockPolicy policy;
    private final EngineContext context;
    private final SeatRow seats;
    private final Askers askers;
    private final Returners returners;

    /** Those who wait for a turn. */
    private final Set<Claim> waiting = new LinkedHashSet<>();

    Turnstile(LockName name, Demand use, LockPolicy policy, EngineContext context) {
        String folder = LockFolder.of(context.settings().basePath(), name);
        this.name = name;
        this.use = use;
        this.policy = policy;
        this.context = context;
        this.seats = new SeatRow(this, context, folder, policy.handOff());
        this.askers = new Askers(this, folder, context.time());
        this.returners = new Returners(this);
    }

    LockName name() {
        return name;
    }

    /** Those who hold. */
    List<Turn> turns() {
        return seats.turns().toList();
    }

    void enter(Claim claim) {
        if (!isInUse()) {
            use = claim.demand();
        }
        if (!claim.demand().agreesWith(use)) {
            String self = context.settings().owner().instance();
            context.refuse(claim, Mismatch.within(self, claim.demand(), use).about(name));
        } else if (claim.patience().waitsForHolders()) {
            waiting.add(claim);
        } else {
            enterOnlyAsking(claim);
        }
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> expire(claim));
            context.announcer().queued(claim, occupancy().isInItsOwnWay(claim));
        }
    }

    private void enterOnlyAsking(Claim claim) {
        Occupancy here = occupancy();
        boolean free = here.isFree(claim.demand());
        if (free && seats.serves(claim.demand())) {
            waiting.add(claim);
        } else if (here.blocker(claim.demand()).isPresent() || (!free && isConnected())) {
            refuseBusy(claim);
        } else {
            if (waiting.isEmpty()) {
                seats.stopLingering();
            }
            askers.add(claim);
            context.keeper().connected().ifPresent(tenure -> askers.ask(claim, tenure));
        }
    }

    /** One who owns this turn wants one more hold of it, or to read while it writes. */
    void reenter(Claim claim, Turn own) {
        returners.add(claim, own);
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> expire(claim));
        }
    }

    void withdraw(Claim claim) {
        forget(claim);
        claim.withdraw().ifPresent(context::giveBack);
        proceed();
    }

    void giveBack(Turn ended) {
        if (seats.holds(ended)) {
            seats.end(ended);
            seats.settle(ended);
            proceed();
        }
    }

    /** Takes the turn from its holder. */
    void lose(Turn lost, String reason) {
        if (seats.holds(lost)) {
            seats.end(lost);
            Isolated.run(() -> context.lost(lost, reason));
            seats.drop(lost);
            proceed();
        }
    }

    void connected(PinnedSession tenure) {
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
        Isolated.forEach(claims().toList(), claim -> {
            forget(claim);
            context.refuse(claim, refusal.about(name));
        });
        proceed();
    }

    /** Takes everything back: the registry closes. */
    void close() {
        refuseAll(Refusal.closed());
        turns().forEach(turn -> lose(turn, "its registry was closed"));
        closeUnheld();
    }

    /** Refuses all waits and removes the seats that nobody holds; the others go with their last turn. (M31) */
    void closeUnheld() {
        refuseAll(Refusal.closed());
        seats.close();
        proceed();
    }

    /** Serves who can be served, asks for the seats that are needed, gives back those that are not. */
    void proceed() {
        try {
            returners.answer();
            do {
                serve();
            } while (seats.adjust());
        } finally {
            // nobody else would tell them (L19)
            seats.passOn();
        }
        if (seats.isEmpty() && !isInUse()) {
            context.retire(this);
        }
    }

    /** Runs at each tick of the session's keeper. */
    void tick() {
        seats.tick();
    }

    /** Whether somebody holds, or waits. */
    boolean isInUse() {
        return seats.isInUse() || !waiting.isEmpty() || !askers.isEmpty() || !returners.isEmpty();
    }

    /** Whether somebody holds. */
    boolean isHeld() {
        return seats.isInUse();
    }

    List<Awaited> awaited() {
        long now = context.time().nanoTime();
        return claims().map(claim -> claim.describe(now)).toList();
    }

    @Override
    public Collection<Claim> waiting() {
        return waiting;
    }

    @Override
    public void someoneAhead(List<Claim> claims) {
        // who only asks does not queue behind others
        for (Claim claim : claims) {
            if (!claim.patience().waitsForHolders() && !askers.waitsForIdleSeats(claim) && waiting.remove(claim)) {
                refuseBusy(claim);
            }
        }
        proceed();
    }

    @Override
    public void seatsChanged() {
        proceed();
    }

    @Override
    public void seatRefused(Refusal refusal) {
        refuseAll(refusal);
    }

    @Override
    public void seatRefused(Claim claim, Refusal refusal) {
        forget(claim);
        context.refuse(claim, refusal.about(name));
    }

    @Override
    public void foundFree(Claim claim) {
        if (occupancy().isFree(claim.demand())) {
            waiting.add(claim);
        } else {
            forget(claim);
            refuseBusy(claim);
        }
        proceed();
    }

    @Override
    public void foundTaken(Claim claim, String who) {
        waiting.remove(claim);
        context.refuse(claim, claim.busy(who));
        proceed();
    }

    @Override
    public void askingFailed(Claim claim, Refusal refusal) {
        context.refuse(claim, refusal.about(name));
        proceed();
    }

    @Override
    public boolean holds(Turn own) {
        return seats.holds(own);
    }

    @Override
    public void comesBack(Claim claim, Turn own) {
        if (!own.demand().equals(claim.demand())) {
            // the writer's token goes on with the read hold
            Turn beside = new Turn(claim, own.token(), own.seat(), policy, context.time());
            cleanly(beside, claim, () -> {
                seats.join(own, beside);
                context.grant(beside, claim);
            });
        } else if (own.addHold()) {
            claim.grant(own);
        } else {
            comesTooLate(claim);
        }
    }

    @Override
    public void comesTooLate(Claim claim) {
        context.refuse(claim, Refusal.lostBeforeReentry(name));
    }

    @Override
    public void proofNeeded() {
        context.wantProof(this);
    }

    private Stream<Claim> claims() {
        return Stream.of(waiting, askers.claims(), returners.claims()).flatMap(claims -> List.copyOf(claims).stream());
    }

    private void forget(Claim claim) {
        waiting.remove(claim);
        askers.remove(claim);
        returners.remove(claim);
    }

    private void serve() {
        Optional<Service> next = seats.next();
        while (next.isPresent()) {
            Stint stint = next.get().stint();
            Seat seat = stint.seat();
            if (!seat.tenure().isValid(context.time().nanoTime())) {
                context.wantProof(this);
                return;
            }
            if (Tokens.epoch(seat.czxid()) > Tokens.MAX_EPOCH) {
                refuseAll(Refusal.epochExhausted(Tokens.epoch(seat.czxid())));
                return;
            }
            Claim claim = next.get().claim();
            forget(claim);
            Turn granted = new Turn(claim, stint.nextToken(), seat, policy, context.time());
            begin(stint, granted, claim);
            next = seats.next();
        }
    }

    private void begin(Stint stint, Turn granted, Claim claim) {
        cleanly(granted, claim, () -> {
            seats.begin(stint, granted);
            context.grant(granted, claim);
        });
    }

    /** What fails leaves neither a turn that nobody has nor a claim that nobody answers. (L19) */
    private void cleanly(Turn granted, Claim claim, Runnable grant) {
        try {
            grant.run();
        } catch (RuntimeException error) {
            if (!claim.isOpen()) {
                throw error;
            }
            seats.end(granted);
            seats.drop(granted);
            failed(claim, error);
        }
    }

    private void expire(Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        boolean owner = returners.claims().contains(claim);
        // before it is forgotten: who waits in front of it counts
        boolean contended = !owner && isContended(claim);
        boolean asking = askers.claims().contains(claim);
        forget(claim);
        if (contended) {
            refuseBusy(claim);
        } else {
            Refusal refusal = owner ? Refusal.notConfirmed() : notAnswered(claim, asking);
            context.refuse(claim, refusal.about(name));
        }
        proceed();
    }

    /** @param asking whether the claim was still an asker, without a seat */
    private Refusal notAnswered(Claim claim, boolean asking) {
        if (!isConnected()) {
            return claim.notAnswered(context.keeper().trouble());
        }
        String question = asking
                ? "the question whether it is free"
                : seats.hasReachedHead()
                        ? "the request that proves that the session is alive"
                        : "the request for a seat in its queue";
        Duration waited = Duration.ofNanos(context.time().nanoTime() - claim.askedAt());
        return claim.notAnsweredYet(question, waited);
    }

    /** Whether it is known, by a connection that is there, that others have the lock, or are to have it before. */
    private boolean isContended(Claim claim) {
        return isConnected() && (seats.ahead() > 0 || occupancy().keepsWaiting(claim));
    }

    private Occupancy occupancy() {
        return new Occupancy(seats, waiting);
    }

    private boolean isConnected() {
        return context.keeper().connected().isPresent();
    }

    private void refuseBusy(Claim claim) {
        String who = occupancy()
                .blocker(claim.demand())
                .map(current -> "held by " + current.holder() + " of this process")
                .orElseGet(() -> Math.max(1, seats.ahead()) + " contenders ahead");
        context.refuse(claim, claim.busy(who));
    }
}
