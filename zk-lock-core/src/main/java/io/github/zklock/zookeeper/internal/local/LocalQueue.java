package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.seat.Deletion;
import io.github.zklock.zookeeper.internal.seat.QueueWatch;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This process's requests for one lock, in their order, and the seats that the process has in the lock's queue for
 * them. It exists only while a thread holds or waits, or while a seat lingers. (M16, M17)
 *
 * <p>Owned by the loop.
 */
public final class LocalQueue implements Seat.Owner, QueueWatch.Owner {

    /*
     * What happens to a request (Claim):
     *
     *   enter   -> waiting    a seat has to serve it: one that the process has, or one that it requests
     *   enter   -> asking     it only asks whether the lock is free; the answer ends it, or lets it wait (Askers)
     *   reenter -> returning  its caller holds the lock; it waits for the proof of the session only
     *   waiting -> granted    a seat at the head serves it while the session is proven to be alive
     *   any     -> ended      by its limit, its caller, a refusal or the close
     *
     * What happens to a seat of this process stands in OwnSeats, and to its node in Seat. The SeatPlan decides which
     * requests are served and which seats are needed, Contention when the lock is passed on to other processes, and
     * Obstacles what a caller learns whose wait ends. Requests and seats meet in four steps, which proceed() repeats until
     * nothing changes any more:
     *
     *   place   Seats whose nodes the view shows get their places. The first ones, as long as they hold by the view, reach
     *           the head.
     *   serve   The plan names a request and a seat at the head for it. Together they become a turn.
     *   adjust  Seats that no request needs leave or linger. Requests that need a seat get one.
     *   follow  The watch learns what it has to show from now on.
     *
     * Everything else, an answer, an event, a deadline, a request or a release, changes the state and calls proceed(). A
     * step may cause an answer at once, which changes the state again: it sets `again` for a further round. So no step
     * needs to expect what another one has changed since, except that a seat may have been removed.
     *
     * Invariants:
     *
     * - A turn begins only on a seat at the head, and only under a valid proof. A head stays one until its node is deleted,
     *   because each later seat is further behind.
     * - Each waiting request has a seat, or will be served after a turn on one, or is missing by the plan. So after
     *   proceed() no request waits for nothing.
     * - A seat that leaves OwnSeats has left, so that Deletions pursues its node. No node is forgotten.
     * - While it is not known whether the node of a seat exists, no seat is requested behind it: the nodes stand in the
     *   order of the requests (decision 0049).
     * - After some turns, or some time, a process whose requests still wait looks whether others wait, and passes the lock
     *   on if they do (Contention). A lingering seat leaves as soon as the view shows another process.
     *
     * If an Error interrupts a step, the state may be anything: the engine is replaced (EngineKeeper).
     */

    /** The number of claims whose limits are over that one task of the loop ends. */
    private static final int MOST_ENDED_AT_ONCE = 32;

    private final LockName name;
    private final String folder;
    private final LockPolicy policy;
    private final HandOff handOff;
    private final EngineContext context;

    private final OwnSeats seats = new OwnSeats();
    /** The turns, and the requests that wait for one. */
    private final Occupancy occupancy;

    private final Reentries returning = new Reentries();
    private final Askers askers;
    private final Contention contention;
    private final Obstacles obstacles;

    /** The claims whose limits are over, until they are ended. */
    private final Queue<Claim> due = new ArrayDeque<>(1);

    /** Whether the owners of turns may be answered, because the proof may have advanced. */
    private boolean returningIsDue;

    private SeatPlan plan;
    /** The watch on the present session. */
    private @Nullable QueueWatch watch;

    private long requestedSeats;
    private boolean closed;
    private boolean retired;
    private boolean proceeding;
    private boolean again;

    public LocalQueue(LockName name, Demand use, LockPolicy policy, EngineContext context) {
        this.name = name;
        this.folder = LockFolder.of(context.settings().basePath(), name);
        this.policy = policy;
        this.handOff = policy.handOff();
        this.context = context;
        this.occupancy = new Occupancy(seats, use);
        this.askers = new Askers(folder, context, this::foundFree, this::refuse);
        this.contention = new Contention(handOff, seats, context, this::lookIfDue);
        this.obstacles = new Obstacles(folder, handOff, seats, occupancy, context);
        this.plan = plan();
    }

    private SeatPlan plan() {
        if (handOff.policy() == Policy.STRICT) {
            return new StrictPlan(occupancy.waiting(), seats.ready());
        }
        return occupancy.use().kind() == LockKind.PERMITS
                ? new PermitsPlan(contention.rounds())
                : new BoundedPlan(occupancy.waiting(), seats.heads(), seats.all());
    }

    public LockName name() {
        return name;
    }

    /** Returns the turns of the holders. */
    public List<Turn> turns() {
        return seats.turns();
    }

    public void enter(Claim claim) {
        if (!isInUse()) {
            changeUse(claim.demand());
        }
        if (!claim.demand().agreesWith(occupancy.use())) {
            String self = context.settings().owner().instance();
            context.refuse(
                    claim,
                    Mismatch.within(self, claim.demand(), occupancy.use()).about(name));
        } else if (claim.patience().waitsForHolders()) {
            addWaiting(claim);
        } else if (claim.isTakenBehindAnother()) {
            enterBehindAnother(claim);
        } else {
            enterOnlyAsking(claim);
        }
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), this::identifyFirst, () -> limitIsOver(claim));
            context.announcer().queued(claim, occupancy.isInItsOwnWay(claim));
        }
    }

    private void changeUse(Demand demand) {
        boolean forPermits = demand.kind() == LockKind.PERMITS;
        boolean wasForPermits = occupancy.use().kind() == LockKind.PERMITS;
        occupancy.changeUse(demand);
        if (forPermits != wasForPermits) {
            // these linger
            List.copyOf(seats.all()).forEach(this::dismiss);
            plan = plan();
        }
    }

    /** Requests a seat at once, so that one transaction creates it with the seat of the claim before. */
    private void enterBehindAnother(Claim claim) {
        if (occupancy.waiting().isEmpty() && occupancy.isFree(claim.demand())) {
            addWaiting(claim);
        } else {
            refuseBusy(claim);
        }
    }

    private void enterOnlyAsking(Claim claim) {
        boolean free = occupancy.isFree(claim.demand());
        if (free && plan.serves(claim.demand()) && (seats.idle().isEmpty() || watch().isLive())) {
            addWaiting(claim);
        } else if (occupancy.blocker(claim.demand()).isPresent()
                || (!free && context.keeper().isConnected())) {
            refuseBusy(claim);
        } else {
            if (occupancy.waiting().isEmpty()) {
                // a seat that is kept for later would block a request for something else
                List.copyOf(seats.ready()).forEach(this::dismiss);
                List.copyOf(seats.idle()).forEach(this::dismiss);
            }
            askers.add(claim);
            context.keeper().connected().ifPresent(connected -> askers.ask(claim, connected));
        }
    }

    /** Adds a request of the owner of a turn: for a further hold of it, or to read while it writes. */
    public void reenter(Claim claim) {
        returning.add(claim);
        answerReturning(claim);
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> {}, () -> limitIsOver(claim));
        }
    }

    public void withdraw(Claim claim) {
        forget(claim);
        claim.withdraw().ifPresent(context::giveBack);
        proceed();
    }

    /** Ends a turn whose last hold was dropped. */
    public void giveBack(Turn ended) {
        SeatUse used = useOf(ended);
        if (used != null) {
            endTurn(used, ended);
            confirmRelease(used, ended);
            answerReturningTo(ended);
            proceed();
        }
    }

    /** Takes the turn from its holder. */
    public void lose(Turn lost, String reason) {
        SeatUse used = useOf(lost);
        if (used != null) {
            endTurn(used, lost);
            // changes the state first: an observer of the release then sees the loss
            context.lost(lost, reason);
            confirmRelease(used, lost);
            answerReturningTo(lost);
            if (!used.isInUse()) {
                dismiss(used);
            }
            proceed();
        }
    }

    public void connectionLost() {
        obstacles.connectionLost();
        if (watch != null) {
            watch.connectionLost();
        }
    }

    public void connected(PinnedSession now) {
        if (watch != null && watch.isOn(now)) {
            watch.connectionRestored();
        }
        contention.listingFailed();
        askers.askAll(now);
        proceed();
    }

    /** Ends all waits with this refusal. */
    public void refuseAll(Refusal refusal) {
        refuse(claims().toList(), refusal);
    }

    /** Ends the wait of this claim with this refusal, which names the lock. */
    public void refuse(Claim claim, Refusal refusal) {
        forget(claim);
        context.refuse(claim, refusal);
        proceed();
    }

    /** Ends the waits for a turn. Owners of a turn may still re-enter it. */
    private void refuseWaiting(Refusal refusal) {
        refuse(claims().filter(claim -> !returning.contains(claim)).toList(), refusal);
    }

    private void refuse(List<Claim> all, Refusal refusal) {
        for (Claim claim : all) {
            forget(claim);
            context.refuse(claim, refusal.about(name));
        }
        proceed();
    }

    /**
     * Closes the queue: rejects all waits, and removes the seats that are not held.
     *
     * @param held whether held locks stay with their holders; their seats are then deleted after the last turn (M31)
     */
    public void close(OnClose held) {
        refuseAll(Refusal.closed());
        if (held == OnClose.RELEASE_HELD) {
            turns().forEach(turn -> lose(turn, "its registry was closed"));
        }
        closed = true;
        proceed();
    }

    /** Runs at each tick of the session's keeper. */
    public void tick() {
        if (watch != null) {
            watch.tick();
        }
        seats.marked().forEach(SeatUse::unmarkLongUse);
    }

    /** Returns whether a thread holds or waits. */
    boolean isInUse() {
        return isHeld() || !occupancy.waiting().isEmpty() || !askers.isEmpty() || !returning.isEmpty();
    }

    public boolean isHeld() {
        return !seats.busy().isEmpty();
    }

    /** Called when the session may be proven to be alive for longer than before. */
    public void proofAdvanced() {
        returningIsDue = true;
        proceed();
    }

    /** Grants the requests that can be granted, requests the seats that are needed, and leaves the other seats. */
    public void proceed() {
        if (retired) {
            return;
        }
        again = true;
        if (proceeding) {
            // a call further up the stack continues
            return;
        }
        proceeding = true;
        try {
            while (again) {
                again = false;
                if (seats.isAnyToPlace()) {
                    place();
                }
                if (returningIsDue) {
                    returningIsDue = false;
                    List.copyOf(returning.claims()).forEach(this::answerReturning);
                }
                if (!occupancy.waiting().isEmpty() && !seats.heads().isEmpty()) {
                    serve();
                }
                adjust();
                // last, and again if it has changed something
                follow();
            }
        } finally {
            proceeding = false;
        }
        if (seats.isEmpty() && !isInUse()) {
            retire();
        }
    }

    /** Stops: the engine was replaced. */
    public void forsake() {
        if (watch != null) {
            watch.end();
        }
    }

    private void retire() {
        retired = true;
        contention.cancelLook();
        if (watch != null) {
            watch.end();
        }
        context.retire(this);
    }

    // notifications of the seats and the watch

    @Override
    public void createSent(Seat seat) {
        SeatUse used = seats.of(seat);
        if (used != null && !watch().isLive() && !isBehindOwn(used)) {
            used.awaitListing(watch().look());
        }
    }

    @Override
    public void inDoubt(Seat seat) {
        SeatUse used = seats.of(seat);
        if (used != null) {
            seats.doubt(used);
        }
    }

    @Override
    public void absent() {
        proceed();
    }

    /**
     * Returns whether a seat of this process has to hold before this seat, and its place is known or about to be. Then
     * the place of this seat need not be known yet. Without the second condition, each seat would list the queue if
     * many are requested at once, and the queue contains all of them.
     */
    private boolean isBehindOwn(SeatUse used) {
        if (!OwnSeats.standInARow(used.seat().demand(), handOff) || seats.size() == 1) {
            return false;
        }
        return watch().isBeingListed() || seats.isAnotherPlaced(used);
    }

    @Override
    public void created(Seat seat) {
        SeatUse used = seats.of(seat);
        SeatName node = seat.name();
        if (used == null || node == null) {
            return;
        }
        seats.created(used, node);
        if (watch().isLive()) {
            // the event came before this answer
            seats.mayBeShown(used);
        }
        // a view that is not live is older than the node: if it shows this name, it is from a folder that was deleted
        if (watch().isLive() ? !watch().view().contains(node) : !awaitsListing(used) && !isBehindOwn(used)) {
            used.awaitListing(watch().look());
        }
        if (seats.size() > 1 || watch().isLive()) {
            proceed();
        }
        // otherwise a listing is under way that shows the place of this only seat: nothing can be decided before
    }

    @Override
    public void refused(Seat seat, Refusal refusal) {
        SeatUse used = seats.of(seat);
        if (used != null) {
            loseAll(used, refusal.message());
        }
        refuseWaiting(refusal);
    }

    @Override
    public void gone(Seat seat, String reason) {
        SeatUse used = seats.of(seat);
        if (used != null) {
            loseAll(used, reason);
            proceed();
        }
    }

    @Override
    public void becameReader(Seat seat, SeatName writer) {
        SeatUse used = seats.of(seat);
        SeatName reader = seat.name();
        if (used != null && reader != null) {
            seats.renamed(used, writer, reader);
            watch().renamed(writer, reader);
            used.becameReader();
            contention.look(watch);
            proceed();
        }
    }

    @Override
    public void viewChanged() {
        contention.viewChanged(watch);
        proceed();
    }

    @Override
    public void appeared(SeatName node) {
        SeatUse used = seats.of(node);
        if (used != null && seats.isUnplaced(node)) {
            seats.mayBeShown(used);
        }
    }

    @Override
    public void listed(int number) {
        seats.mayAllBeShown();
        for (SeatUse used : List.copyOf(seats.all())) {
            SeatName node = used.seat().name();
            // during a downgrade the node has one of two names
            boolean known = used.seat().path() != null;
            // answers arrive in the order of the requests: this listing was sent after the create that reported the
            // name
            if (node != null && known && !watch().view().contains(node)) {
                used.seat().vanished();
            }
        }
        contention.listed(number, watch());
    }

    @Override
    public boolean isOwn(SeatName node) {
        return seats.of(node) != null;
    }

    @Override
    public boolean isOwn(String id) {
        return seats.hasId(id);
    }

    @Override
    public void deleted(SeatName node) {
        SeatUse used = seats.of(node);
        // during a downgrade, its answer shows what happened to the node
        if (used != null && used.seat().path() != null) {
            used.seat().vanished();
        }
    }

    @Override
    public void unreadable(Outcome why, String path) {
        contention.listingFailed();
        for (SeatUse used : List.copyOf(seats.all())) {
            if (used.seat().isWaiting()) {
                used.seat()
                        .refuse(
                                why == Outcome.ACCESS_DENIED
                                        ? Refusal.of(
                                                Reason.DENIED,
                                                "the access list of " + path + " forbids this client to read it")
                                        : Refusal.of(Reason.UNAVAILABLE, "ZooKeeper rejected the read of " + path));
            }
        }
    }

    // places of the seats

    /** Determines the places of new seats, and which waiting seats have come to the head. */
    private void place() {
        QueueWatch current = watch;
        if (current == null) {
            return;
        }
        QueueView view = current.view();
        for (SeatUse used : seats.takeShown()) {
            SeatName node = used.seat().name();
            if (node != null && seats.isUnplaced(node) && view.contains(node)) {
                seats.place(node);
                check(used, node, view);
            }
        }
        for (SeatUse next = seats.firstPlaced(); next != null; next = seats.firstPlaced()) {
            SeatName node = next.seat().name();
            if (node == null || !next.seat().isWaiting() || !view.holds(node) || !current.places(node)) {
                return;
            }
            reachedHead(next, node);
        }
    }

    private void check(SeatUse used, SeatName node, QueueView view) {
        Seat seat = used.seat();
        seat.deleteSiblings(view);
        Mismatch mismatch = Mismatch.of(
                        view, seat.demand(), context.settings().owner().instance())
                .orElse(null);
        if (mismatch != null) {
            mismatch.explain(seat.session(), folder, why -> {
                // unless the other seat has left meanwhile
                if (seat.isWaiting()) {
                    seat.refuse(Refusal.of(Reason.MISMATCH, why));
                }
            });
            return;
        }
        context.announcer().compareNumbers(name, seat.demand(), view);
        if (view.hasRivalOf(node)) {
            seat.refuse(
                    Refusal.of(Reason.UNAVAILABLE, "two nodes in " + folder + " have the sequence " + node.sequence()));
        } else if (!view.holds(node)) {
            someoneAhead(used);
        }
    }

    /** Rejects the claims of this seat that do not wait for holders. */
    private void someoneAhead(SeatUse used) {
        if (!occupancy.isHurried()) {
            return;
        }
        for (Claim claim : plan.servedBy(used)) {
            if (!claim.patience().waitsForHolders()
                    && !askers.waitsForIdleSeats(claim)
                    && occupancy.waiting().contains(claim)) {
                refuseBusy(claim);
            }
        }
    }

    private void reachedHead(SeatUse used, SeatName node) {
        Seat seat = used.seat();
        if (seat.isAlone() || isHeadAlone()) {
            // no seat is in front of this one, so the seats that served until now are deleted
            List.copyOf(seats.heads()).forEach(other -> other.seat().vanished());
        }
        if (seat.isWaiting()) {
            if (seats.heads().isEmpty()) {
                contention.looked();
            }
            seat.becomeHead();
            seats.reachedHead(used, node);
            plan.reachedHead(used);
            watch().confirm(node);
        }
    }

    private boolean isHeadAlone() {
        SeatUse head = seats.onlyHead();
        return head != null && head.seat().isAlone();
    }

    // turns

    private void answerReturningTo(Turn turn) {
        for (Claim claim : returning.to(turn)) {
            answerReturning(claim);
        }
    }

    private void answerReturning(Claim claim) {
        Turn own = claim.own();
        if (own == null || !returning.contains(claim)) {
            return;
        }
        SeatUse used = useOf(own);
        if (used == null) {
            returning.remove(claim);
            context.refuse(claim, Refusal.lostBeforeReentry(name));
        } else if (own.isHeld()) {
            returning.remove(claim);
            comeBack(claim, own, used);
        } else {
            context.wantProof(this);
        }
    }

    private void comeBack(Claim claim, Turn own, SeatUse used) {
        if (!own.demand().equals(claim.demand())) {
            // the read hold keeps the writer's token
            Turn beside = new Turn(claim, own.token(), own.seat(), policy, context.time());
            used.join(beside);
            occupancy.began(beside);
            context.grant(beside, claim);
        } else if (own.addHold()) {
            claim.grant(own);
        } else {
            context.refuse(claim, Refusal.lostBeforeReentry(name));
        }
    }

    private void serve() {
        for (SeatPlan.Service next = plan.next(); next != null; next = plan.next()) {
            if (isOutdated(next.use())) {
                // the claim queues behind the processes that may wait
                dismiss(next.use());
                continue;
            }
            Seat seat = next.use().seat();
            if (!seat.session().isValid(context.time().nanoTime())) {
                context.wantProof(this);
                return;
            }
            long epoch = Tokens.epoch(seat.czxid());
            if (epoch > Tokens.MAX_EPOCH) {
                refuseWaiting(Refusal.epochExhausted(epoch));
                return;
            }
            Claim claim = next.claim();
            forget(claim);
            if (!claim.mayBeGranted()) {
                context.refuse(claim, claim.behindAnother());
                // the seat was created for this claim; the claims behind it are checked for the seat first
                again = true;
                return;
            }
            Turn granted = new Turn(claim, next.use().nextToken(), seat, policy, context.time());
            begin(next.use(), granted);
            context.grant(granted, claim);
        }
    }

    private void begin(SeatUse used, Turn turn) {
        Turn settling = used.takeSettling();
        if (settling != null) {
            context.announcer().releaseConfirmed(settling);
        }
        seats.begin(used, turn);
        occupancy.began(turn);
        plan.began(used);
        contention.turnBegan();
        if (turn.demand().kind() == LockKind.READ) {
            // no request waits here while readers join, but other processes must not wait for the last reader without a
            // limit
            again |= contention.lookIfDue(watch);
        }
    }

    private void endTurn(SeatUse used, Turn ended) {
        seats.end(used, ended);
        occupancy.ended(ended);
        plan.ended(used);
    }

    /** Confirms the release of a turn now, if others use the seat, or when the seat is used again or is deleted. */
    private void confirmRelease(SeatUse used, Turn ended) {
        if (used.isInUse()) {
            context.announcer().releaseConfirmed(ended);
        } else {
            used.settle(ended);
        }
    }

    private @Nullable SeatUse useOf(Turn turn) {
        SeatUse used = seats.of(turn.seat());
        return used != null && used.turns().contains(turn) ? used : null;
    }

    // seats

    private void adjust() {
        PinnedSession connected = context.keeper().connected().orElse(null);
        boolean mayStay = mayLinger();
        boolean areKnown = seats.firstInDoubt() == null;
        SeatPlan.Decision decision = plan.decide(mayStay, connected != null && areKnown);
        for (SeatUse used : decision.leave()) {
            if (mayStay && used.seat().isHead() && used.mayLinger()) {
                linger(used);
            } else {
                dismiss(used);
            }
        }
        if (connected != null) {
            for (Claim claim : decision.create()) {
                if (occupancy.waiting().contains(claim)) {
                    takeSeat(claim, connected);
                }
            }
            if (!areKnown && areAllRequested()) {
                // the seats of later requests are decided in the next round
                again = true;
            }
        }
        letReadersIn();
        if (isHeld() && !occupancy.waiting().isEmpty()) {
            again |= contention.lookWhenDue(watch);
        }
    }

    /** Runs at the time of a scheduled look for other processes. */
    private void lookIfDue() {
        contention.lookIfDue(watch);
        proceed();
    }

    /** Returns whether the lock's seats may be kept although no request of this process needs them. */
    private boolean mayLinger() {
        return !closed
                && occupancy.waiting().isEmpty()
                && watch != null
                && !watch.isWithoutArrivals()
                && !contention.isShownBy(watch);
    }

    private void linger(SeatUse used) {
        used.linger(() -> {
            if (!used.isInUse() && seats.contains(used)) {
                dismiss(used);
                proceed();
            }
        });
        if (used.seat().isMarkedIdle()) {
            seats.mark(used);
        }
    }

    /**
     * Repeats creates that were not executed, in the order of their requests. Returns whether that is done: until it is
     * known whether a seat exists, those behind it have to wait.
     */
    private boolean areAllRequested() {
        List<Seat> absent = new ArrayList<>(0);
        SeatUse next = seats.firstInDoubt();
        while (next != null && !next.seat().isInDoubt()) {
            seats.noDoubt(next);
            absent.add(next.seat());
            next = seats.firstInDoubt();
        }
        absent.forEach(Seat::createIfAbsent);
        return seats.firstInDoubt() == null;
    }

    /**
     * Downgrades a write seat under which this process only reads: it must not block readers, including those of this
     * process.
     */
    private void letReadersIn() {
        SeatUse head = seats.onlyHead();
        if (head == null) {
            return;
        }
        SeatName node = head.seat().name();
        if (head.isReading()
                && head.seat().isAlone()
                && node != null
                && watch().view().isWaitedFor(node)) {
            head.giveWay();
            head.seat().downgrade();
        }
    }

    /** Returns whether the seat lingers and the view may lack processes that wait for it. */
    private boolean isOutdated(SeatUse used) {
        return used.isLingering() && !watch().isLive();
    }

    /** Requests a seat for the claim. If the session has no room for it, rejects the claim. (L24) */
    private void takeSeat(Claim claim, PinnedSession connected) {
        int bytes = connected.bytesOf(folder, claim.demand());
        long budget = context.settings().seatBudget();
        if (!connected.budget().admits(bytes, budget)) {
            forget(claim);
            context.refuse(
                    claim, Refusal.noRoom(connected.budget(), bytes, budget).about(name));
            again = true;
            return;
        }
        if (watch == null || !watch.isOn(connected)) {
            watchOn(connected);
        }
        Seat seat = context.newSeat(this, connected, folder, claim, handOff);
        boolean behindOwn = OwnSeats.standInARow(claim.demand(), handOff) && !seats.isEmpty();
        SeatUse used = new SeatUse(seat, claim, ++requestedSeats, handOff, contention.rounds(), context.time());
        seats.add(used);
        plan.added(used);
        seat.begin(bytes, behindOwn);
    }

    private void watchOn(PinnedSession connected) {
        if (watch != null) {
            watch.end();
        }
        watch = new QueueWatch(this, connected, context.time(), folder);
    }

    private QueueWatch watch() {
        QueueWatch present = watch;
        if (present == null) {
            throw new IllegalStateException("Queue " + folder + " has a seat and no watch");
        }
        return present;
    }

    /** Sets what the watch must show from now on. */
    private void follow() {
        QueueWatch present = watch;
        if (present == null) {
            return;
        }
        SeatUse head = seats.onlyHead();
        boolean arrivals = isAnyLingering()
                || seats.isAnyMarked()
                || (head != null && head.isReading() && head.seat().isAlone());
        SeatUse first = seats.firstWaiting();
        // a seat that shares the lock can hold when a waiting seat in front of it is deleted
        boolean several = occupancy.use().kind() != LockKind.EXCLUSIVE && seats.size() > 1;
        arrivals |= first != null && several;
        SeatName node = first == null ? null : first.seat().name();
        if (first != null && node != null && seats.isUnplaced(node) && !present.isLive()) {
            lookForPlaces(present, first);
        }
        present.follow(node, arrivals);
    }

    private boolean isAnyLingering() {
        for (SeatUse head : seats.idle()) {
            if (head.isLingering()) {
                return true;
            }
        }
        return false;
    }

    private boolean awaitsListing(SeatUse used) {
        return used.listing() > watch().lastListed();
    }

    /** Lists the queue, because the place of the next seat to be served is not known. */
    private void lookForPlaces(QueueWatch present, SeatUse first) {
        // one listing shows the places of all
        if (!awaitsListing(first) && !present.isBeingListed()) {
            first.awaitListing(present.look());
        }
    }

    private void loseAll(SeatUse used, String reason) {
        List<Turn> turns = List.copyOf(used.turns());
        turns.forEach(turn -> endTurn(used, turn));
        // changes the state first: an observer of the release then sees the loss
        turns.forEach(turn -> context.lost(turn, reason));
        Deletion deletion = dismiss(used);
        turns.forEach(turn -> deletion.observe(context.announcer().releaseOf(turn)));
        turns.forEach(this::answerReturningTo);
    }

    private Deletion dismiss(SeatUse used) {
        Seat seat = used.seat();
        SeatName node = seat.name();
        obstacles.leaves(used, watch);
        seats.remove(used);
        plan.removed(used);
        used.endLinger();
        QueueWatch present = watch;
        if (node != null) {
            if (present != null && present.isOn(seat.session()) && !seat.hasLeft()) {
                present.leave(node);
            }
        }
        Deletion deletion = seat.leave();
        if (present != null) {
            deletion.observe(new Deletion.Observer() {
                @Override
                public void gone() {
                    present.forget(seat.id());
                }

                @Override
                public void unseen() {}
            });
        }
        Turn settling = used.takeSettling();
        if (settling != null) {
            deletion.observe(context.announcer().releaseOf(settling));
        }
        if (seats.heads().isEmpty()) {
            contention.cancelLook();
        }
        // nothing is left to do without seats and requests
        again |= !seats.isEmpty() || !occupancy.waiting().isEmpty();
        return deletion;
    }

    // requests

    private void addWaiting(Claim claim) {
        occupancy.enter(claim);
        plan.entered(claim);
    }

    private void forget(Claim claim) {
        if (occupancy.leave(claim)) {
            plan.left(claim);
        }
        askers.remove(claim);
        returning.remove(claim);
    }

    /** Returns the claims that wait. */
    public Stream<Claim> claims() {
        return Stream.<Collection<Claim>>of(occupancy.waiting(), askers.claims(), returning.claims())
                .flatMap(claims -> List.copyOf(claims).stream());
    }

    /** No seat in the queue blocks the claim, which has only asked until now. */
    private void foundFree(Claim claim) {
        if (occupancy.isFree(claim.demand())) {
            addWaiting(claim);
        } else {
            refuseBusy(claim);
        }
        proceed();
    }

    /** Leaves the claim to a task of its own: other callers must not wait behind thousands of limits that end together. */
    private void limitIsOver(Claim claim) {
        due.add(claim);
        if (due.size() == 1) {
            context.inTurn(this::endDue);
        }
    }

    private void endDue() {
        for (int i = 0; i < MOST_ENDED_AT_ONCE && !due.isEmpty(); i++) {
            expire(due.remove());
        }
        if (!due.isEmpty()) {
            context.inTurn(this::endDue);
        }
    }

    private void expire(Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        refuse(
                claim,
                returning.contains(claim)
                        ? Refusal.notConfirmed().about(name)
                        : obstacles.atLimit(
                                claim, plan.isAtHead(claim), askers.claims().contains(claim), watch));
    }

    /** Returns whether a live connection shows that other requests hold the lock or precede this one. */
    public boolean isContended(Claim claim) {
        return obstacles.block(claim, plan.isAtHead(claim), watch);
    }

    private void refuseBusy(Claim claim) {
        forget(claim);
        context.refuse(claim, obstacles.busy(claim, watch));
    }

    private void identifyFirst() {
        QueueWatch present = watch;
        if (present != null) {
            context.keeper().session().filter(present::isOn).ifPresent(obstacles::identifyFirst);
        }
    }
}
