package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Deletion;
import io.github.zklock.zookeeper.internal.seat.QueueWatch;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This process's requests for one lock, in their order, and the seats that the process has in the lock's queue for
 * them. It exists only while a thread holds or waits, or while a seat lingers. (M16, M17)
 *
 * <p>Owned by the loop.
 */
public final class LocalQueue implements Seat.Owner, QueueWatch.Owner, Askers.Owner {

    /** Claims that end at about the same time share one question, in nanoseconds. */
    private static final long FIRST_KNOWN = TimeUnit.SECONDS.toNanos(1);

    private final LockName name;
    private final String folder;
    private final LockPolicy policy;
    private final HandOff handOff;
    private final EngineContext context;
    private final Askers askers;

    /** The demand of the holders and waiters of this process: all of them agree. */
    private Demand use;

    /** Requests that wait for a turn. */
    private final Set<Claim> waiting = new LinkedHashSet<>();
    /** Re-entries: requests of owners for a further hold of their turn. */
    private final Map<Claim, Turn> returning = new LinkedHashMap<>(0);

    /** All seats, in the order in which they were requested. */
    private final Set<SeatUse> seats = new LinkedHashSet<>(2);

    /** The seats whose nodes are known, in the order of the queue. */
    private final NavigableMap<SeatName, SeatUse> named = new TreeMap<>();

    private final Map<Seat, SeatUse> uses = new HashMap<>(2);
    /** The seats at the head. */
    private final Set<SeatUse> heads = new LinkedHashSet<>(2);
    /** The seats whose node exists and was not found in the view yet. */
    private final Set<SeatUse> unplaced = new LinkedHashSet<>(2);
    /** The unplaced seats that are new since the latest check of the view. */
    private final List<SeatUse> fresh = new ArrayList<>(1);
    /** Whether the view has changed since the latest check. */
    private boolean viewIsNew;

    private final SeatPlan plan;
    /** The watch on the present session. */
    private @Nullable QueueWatch watch;

    private @Nullable PinnedSession session;

    /** Null unless a claim has waited for long. */
    private @Nullable FirstSeat first;

    private int turnsSinceLook;
    private long lookedAt;
    private int lookUnderWay;
    private Time.@Nullable Alarm nextLook;

    /** Whether a create was not answered since it was last known of all seats whether they exist. */
    private boolean mayBeInDoubt;

    private boolean closed;
    private boolean retired;
    private boolean proceeding;
    private boolean again;

    public LocalQueue(LockName name, Demand use, LockPolicy policy, EngineContext context) {
        this.name = name;
        this.folder = LockFolder.of(context.settings().basePath(), name);
        this.use = use;
        this.policy = policy;
        this.handOff = policy.handOff();
        this.context = context;
        this.askers = new Askers(this, folder, context.time());
        this.plan = handOff.policy() == Policy.STRICT
                ? new StrictPlan(waiting, heads)
                : new BoundedPlan(waiting, heads, seats);
    }

    public LockName name() {
        return name;
    }

    /** Returns the turns of the holders. */
    public List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(1);
        heads.forEach(head -> turns.addAll(head.turns()));
        return turns;
    }

    public void enter(Claim claim) {
        if (!isInUse()) {
            use = claim.demand();
        }
        if (!claim.demand().agreesWith(use)) {
            String self = context.settings().owner().instance();
            context.refuse(claim, Mismatch.within(self, claim.demand(), use).about(name));
        } else if (claim.patience().waitsForHolders()) {
            addWaiting(claim);
        } else if (claim.isTakenBehindAnother()) {
            enterBehindAnother(claim);
        } else {
            enterOnlyAsking(claim);
        }
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), this::identifyFirst, () -> expire(claim));
            context.announcer().queued(claim, occupancy().isInItsOwnWay(claim));
        }
    }

    /** Requests a seat at once, so that one transaction creates it with the seat of the claim before. */
    private void enterBehindAnother(Claim claim) {
        if (waiting.isEmpty() && occupancy().isFree(claim.demand())) {
            addWaiting(claim);
        } else {
            refuseBusy(claim);
        }
    }

    private void enterOnlyAsking(Claim claim) {
        Occupancy here = occupancy();
        boolean free = here.isFree(claim.demand());
        if (free && heads.stream().anyMatch(head -> head.serves(claim.demand()))) {
            addWaiting(claim);
        } else if (here.blocker(claim.demand()).isPresent() || (!free && isConnected())) {
            refuseBusy(claim);
        } else {
            if (waiting.isEmpty()) {
                // a seat that is kept for later would block a request for something else
                List.copyOf(heads).stream().filter(head -> !head.isInUse()).forEach(this::dismiss);
            }
            askers.add(claim);
            context.keeper().connected().ifPresent(connected -> askers.ask(claim, connected));
        }
    }

    /** Adds a request of the owner of this turn: for a further hold of it, or to read while it writes. */
    public void reenter(Claim claim, Turn own) {
        returning.put(claim, own);
        proceed();
        if (claim.isOpen()) {
            claim.armDeadline(context.time(), () -> {}, () -> expire(claim));
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
            end(used, ended);
            proceed();
        }
    }

    /** Takes the turn from its holder. */
    public void lose(Turn lost, String reason) {
        SeatUse used = useOf(lost);
        if (used != null) {
            used.end(lost);
            plan.changed(used);
            // changes the state first: an observer of the release then sees the loss
            context.lost(lost, reason);
            confirmRelease(used, lost);
            if (!used.isInUse()) {
                dismiss(used);
            }
            proceed();
        }
    }

    public void connectionLost() {
        if (watch != null) {
            watch.connectionLost();
        }
    }

    public void connected(PinnedSession now) {
        if (watch != null && session == now) {
            watch.connectionRestored();
        }
        // a listing that was under way is not valid any more
        lookUnderWay = 0;
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
        refuse(claims().filter(claim -> !returning.containsKey(claim)).toList(), refusal);
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
        heads.forEach(SeatUse::unmarkLongUse);
    }

    /** Returns whether a thread holds or waits. */
    boolean isInUse() {
        return isHeld() || !waiting.isEmpty() || !askers.isEmpty() || !returning.isEmpty();
    }

    public boolean isHeld() {
        for (SeatUse head : heads) {
            if (head.isInUse()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the waits, each with the time that has passed until now. */
    public List<Awaited> awaited(long now) {
        return claims().map(claim -> claim.describe(now)).toList();
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
                place();
                answerReturning();
                serve();
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
        cancelLook();
        if (watch != null) {
            watch.end();
        }
        context.retire(this);
    }

    // notifications of the seats and the watch

    @Override
    public void createSent(Seat seat) {
        SeatUse used = uses.get(seat);
        if (used != null && !watch().isLive() && !isBehindOwn(used)) {
            used.awaitListing(watch().look());
        }
    }

    @Override
    public void inDoubt() {
        mayBeInDoubt = true;
    }

    @Override
    public void absent() {
        proceed();
    }

    /** Returns whether a seat for this demand can hold only after all seats of this process in front of it are gone. */
    private boolean passesOnInMemory(Demand demand) {
        return handOff.policy() == Policy.STRICT && demand.isAlone();
    }

    /**
     * Returns whether a seat of this process has to hold before this seat, and its place is known or about to be. Then
     * the place of this seat need not be known yet. Without the second condition, each seat would list the queue if
     * many are requested at once, and the queue contains all of them.
     */
    private boolean isBehindOwn(SeatUse used) {
        if (!passesOnInMemory(used.seat().demand()) || seats.size() == 1) {
            return false;
        }
        return watch().isBeingListed()
                || seats.stream()
                        .anyMatch(other -> other != used && other.seat().name() != null && !unplaced.contains(other));
    }

    @Override
    public void created(Seat seat) {
        SeatUse used = uses.get(seat);
        SeatName node = seat.name();
        if (used == null || node == null) {
            return;
        }
        named.put(node, used);
        unplaced.add(used);
        fresh.add(used);
        if (watch().isLive() ? !watch().view().contains(node) : !awaitsListing(used) && !isBehindOwn(used)) {
            used.awaitListing(watch().look());
        }
        proceed();
    }

    @Override
    public void refused(Seat seat, Refusal refusal) {
        SeatUse used = uses.get(seat);
        if (used != null) {
            loseAll(used, refusal.message());
        }
        refuseWaiting(refusal);
    }

    @Override
    public void gone(Seat seat, String reason) {
        SeatUse used = uses.get(seat);
        if (used != null) {
            loseAll(used, reason);
            proceed();
        }
    }

    @Override
    public void becameReader(Seat seat, SeatName writer) {
        SeatUse used = uses.get(seat);
        SeatName reader = seat.name();
        if (used != null && reader != null) {
            named.remove(writer);
            named.put(reader, used);
            watch().renamed(writer, reader);
            used.becameReader();
            lookForOthers();
            proceed();
        }
    }

    @Override
    public void viewChanged() {
        viewIsNew = true;
        for (SeatUse head : List.copyOf(heads)) {
            if (head.isUsed() && isWaitedFor(head)) {
                arrived(head);
            }
        }
        proceed();
    }

    /** Reacts to other processes that wait for this seat's lock. */
    private void arrived(SeatUse head) {
        if (!head.isInUse()) {
            head.giveWay();
        } else {
            head.seat().markIdle(false);
        }
    }

    @Override
    public void listed(int number) {
        viewIsNew = true;
        for (SeatUse used : List.copyOf(seats)) {
            SeatName node = used.seat().name();
            // during a downgrade the node has one of two names
            boolean known = used.seat().path() != null;
            // answers arrive in the order of the requests: this listing was sent after the create that reported the
            // name
            if (node != null && known && !watch().view().contains(node)) {
                used.seat().vanished("its node was deleted");
            }
        }
        if (lookUnderWay > 0 && number >= lookUnderWay) {
            lookUnderWay = 0;
            lookedForOthers();
        }
    }

    @Override
    public boolean isOwn(SeatName node) {
        return named.containsKey(node);
    }

    @Override
    public void deleted(SeatName node) {
        SeatUse used = named.get(node);
        // during a downgrade, its answer shows what happened to the node
        if (used != null && used.seat().path() != null) {
            used.seat().vanished("its node was deleted");
        }
    }

    @Override
    public void unreadable(Outcome why, String path) {
        lookUnderWay = 0;
        for (SeatUse used : List.copyOf(seats)) {
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
        // a process may have thousands of seats, one behind the other, whose places need not be known yet
        List<SeatUse> due = List.copyOf(viewIsNew ? unplaced : fresh);
        fresh.clear();
        viewIsNew = false;
        if (!due.isEmpty()) {
            for (SeatUse used : due) {
                SeatName node = used.seat().name();
                if (node != null && unplaced.contains(used) && view.contains(node)) {
                    unplaced.remove(used);
                    check(used, node, view);
                }
            }
        }
        if (heads.size() == seats.size()) {
            // no seat waits
            return;
        }
        for (SeatName holder : view.holders()) {
            SeatUse used = named.get(holder);
            if (used != null && used.seat().isWaiting() && !unplaced.contains(used) && current.places(holder)) {
                reachedHead(used);
            }
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
        if (seat.demand().kind() == LockKind.PERMITS) {
            compareNumbers(seat.demand(), view);
        }
        if (view.hasRivalOf(node)) {
            seat.refuse(
                    Refusal.of(Reason.UNAVAILABLE, "two nodes in " + folder + " have the sequence " + node.sequence()));
        } else if (!view.holds(node)) {
            someoneAhead(used);
        }
    }

    @Override
    public void compareNumbers(Demand demand, QueueView view) {
        view.otherNumberThan(demand.of())
                .ifPresent(other -> context.announcer().differingPermits(name, demand.of(), other));
    }

    /** Rejects the claims of this seat that do not wait for holders. */
    private void someoneAhead(SeatUse used) {
        for (Claim claim : plan.servedBy(used)) {
            if (!claim.patience().waitsForHolders() && !askers.waitsForIdleSeats(claim) && waiting.contains(claim)) {
                forget(claim);
                refuseBusy(claim);
            }
        }
    }

    private void reachedHead(SeatUse used) {
        Seat seat = used.seat();
        for (SeatUse other : List.copyOf(heads)) {
            if (seat.isAlone() || other.seat().isAlone()) {
                // no seat is in front of this one, so the seat that served until now is deleted
                other.seat().vanished("its node was deleted");
            }
        }
        if (seat.isWaiting()) {
            if (heads.isEmpty()) {
                lookedForOthersAgain();
            }
            seat.becomeHead();
            heads.add(used);
            SeatName node = seat.name();
            if (node != null) {
                watch().confirm(node);
            }
        }
    }

    /** Returns whether other processes wait for this seat's lock. Unused seats of this process do not count. */
    private boolean isWaitedFor(SeatUse head) {
        SeatName node = head.seat().name();
        // under STRICT, a seat serves one claim and leaves in any case
        if (node == null || watch == null || handOff.policy() == Policy.STRICT) {
            return false;
        }
        QueueView view = watch.view();
        LockKind kind = head.seat().demand().kind();
        if (kind == LockKind.PERMITS || kind == LockKind.READ) {
            // an unused seat of this process may keep the others waiting, for which this one makes room as well
            Set<String> own = seats.stream().map(used -> used.seat().id()).collect(Collectors.toSet());
            return view.waiters().stream().anyMatch(seat -> !own.contains(seat.id()));
        }
        return (areAllUsed() ? view : view.without(idsOfUnused())).isWaitedFor(node);
    }

    private boolean areAllUsed() {
        for (SeatUse used : seats) {
            if (!used.isUsed()) {
                return false;
            }
        }
        return true;
    }

    private Set<String> idsOfUnused() {
        return seats.stream()
                .filter(used -> !used.isUsed())
                .map(used -> used.seat().id())
                .collect(Collectors.toSet());
    }

    // turns

    private void answerReturning() {
        if (returning.isEmpty()) {
            return;
        }
        for (Claim claim : List.copyOf(returning.keySet())) {
            Turn own = returning.get(claim);
            if (own == null) {
                continue;
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
    }

    private void comeBack(Claim claim, Turn own, SeatUse used) {
        if (!own.demand().equals(claim.demand())) {
            // the read hold keeps the writer's token
            Turn beside = new Turn(claim, own.token(), own.seat(), policy, context.time());
            used.join(beside);
            context.grant(beside, claim);
        } else if (own.addHold()) {
            claim.grant(own);
        } else {
            context.refuse(claim, Refusal.lostBeforeReentry(name));
        }
    }

    private void serve() {
        for (SeatPlan.Service next = plan.next(); next != null; next = plan.next()) {
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
        used.takeSettling().ifPresent(context.announcer()::releaseConfirmed);
        used.begin(turn);
        turnsSinceLook++;
        if (turn.demand().kind() == LockKind.READ) {
            // no request waits here while readers join, but other processes must not wait for the last reader without a
            // limit
            lookIfDue();
        }
    }

    private void end(SeatUse used, Turn ended) {
        used.end(ended);
        plan.changed(used);
        confirmRelease(used, ended);
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
        SeatUse used = uses.get(turn.seat());
        return used != null && used.turns().contains(turn) ? used : null;
    }

    // seats

    private void adjust() {
        PinnedSession connected = context.keeper().connected().orElse(null);
        for (SeatUse used : plan.unneeded()) {
            if (!closed && waiting.isEmpty() && mayLinger(used)) {
                used.linger(() -> {
                    if (!used.isInUse() && seats.contains(used)) {
                        dismiss(used);
                        proceed();
                    }
                });
            } else {
                dismiss(used);
            }
        }
        if (connected != null && areAllRequested()) {
            for (Claim claim : plan.missing()) {
                if (waiting.contains(claim)) {
                    takeSeat(claim, connected);
                }
            }
        }
        heads.forEach(this::letReadersIn);
        if (isHeld() && !waiting.isEmpty()) {
            lookWhenDue();
        }
    }

    /**
     * Repeats creates that were not executed, in the order of their requests. Returns whether that is done: until it is
     * known whether a seat exists, those behind it have to wait.
     */
    private boolean areAllRequested() {
        if (mayBeInDoubt) {
            List<Seat> absent = new ArrayList<>();
            mayBeInDoubt = false;
            for (SeatUse used : seats) {
                if (used.seat().isInDoubt()) {
                    mayBeInDoubt = true;
                    break;
                } else if (used.seat().isAbsent()) {
                    absent.add(used.seat());
                }
            }
            absent.forEach(Seat::createIfAbsent);
        }
        return !mayBeInDoubt;
    }

    /**
     * Downgrades a write seat under which this process only reads: it must not block readers, including those of this
     * process.
     */
    private void letReadersIn(SeatUse head) {
        SeatName node = head.seat().name();
        if (head.isReading()
                && head.seat().isAlone()
                && node != null
                && watch().view().isWaitedFor(node)) {
            head.giveWay();
            head.seat().downgrade();
        }
    }

    private boolean mayLinger(SeatUse used) {
        return used.seat().isHead() && used.mayLinger() && !watch().isWithoutArrivals() && !isWaitedFor(used);
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
        if (session != connected) {
            watchOn(connected);
        }
        Seat seat = context.newSeat(this, connected, folder, claim, handOff);
        boolean behindOwn = passesOnInMemory(claim.demand()) && !seats.isEmpty();
        SeatUse used = new SeatUse(seat, claim, handOff, context.time());
        seats.add(used);
        uses.put(seat, used);
        plan.added(used);
        seat.begin(bytes, behindOwn);
    }

    private void watchOn(PinnedSession connected) {
        if (watch != null) {
            watch.end();
        }
        session = connected;
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
        boolean arrivals = false;
        for (SeatUse head : heads) {
            arrivals |= head.isIdle()
                    || head.seat().isMarkedIdle()
                    || (head.isReading() && head.seat().isAlone());
        }
        SeatUse first = firstThatWaits();
        // a seat that shares the lock can hold when a waiting seat in front of it is deleted
        arrivals |= first != null && use.kind() != LockKind.EXCLUSIVE && seats.size() > 1;
        if (first != null && unplaced.contains(first) && !present.isLive()) {
            lookForPlaces(present);
        }
        present.follow(first == null ? null : first.seat().name(), arrivals);
    }

    private @Nullable SeatUse firstThatWaits() {
        for (SeatUse used : named.values()) {
            if (used.seat().isWaiting()) {
                return used;
            }
        }
        return null;
    }

    private boolean awaitsListing(SeatUse used) {
        return used.listing() > watch().lastListed();
    }

    /** Lists the queue, because the place of the next seat to be served is not known. */
    private void lookForPlaces(QueueWatch present) {
        for (SeatUse used : unplaced) {
            if (awaitsListing(used)) {
                return;
            }
        }
        int listing = present.look();
        unplaced.forEach(used -> used.awaitListing(listing));
    }

    private void loseAll(SeatUse used, String reason) {
        List<Turn> turns = List.copyOf(used.turns());
        turns.forEach(used::end);
        // changes the state first: an observer of the release then sees the loss
        turns.forEach(turn -> context.lost(turn, reason));
        Deletion deletion = dismiss(used);
        turns.forEach(turn -> deletion.observe(context.announcer().releaseOf(turn)));
    }

    private Deletion dismiss(SeatUse used) {
        Seat seat = used.seat();
        SeatName node = seat.name();
        seats.remove(used);
        uses.remove(seat);
        heads.remove(used);
        unplaced.remove(used);
        plan.removed(used);
        used.endLinger();
        QueueWatch present = watch;
        if (node != null) {
            named.remove(node);
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
        used.takeSettling()
                .ifPresent(turn -> deletion.observe(context.announcer().releaseOf(turn)));
        if (heads.isEmpty()) {
            cancelLook();
        }
        again = true;
        return deletion;
    }

    // check for waiters of other processes

    private void lookWhenDue() {
        lookIfDue();
        if (isLookWanted() && lookUnderWay == 0 && nextLook == null && isConnected()) {
            nextLook = context.time().after(Math.max(0, untilLook()), () -> {
                nextLook = null;
                lookIfDue();
                proceed();
            });
        }
    }

    private void lookIfDue() {
        if (isLookWanted() && (turnsSinceLook >= handOff.maxTurns() || untilLook() <= 0)) {
            lookForOthers();
        }
    }

    /**
     * Returns whether a check is needed. One check after a turn is enough: the next one finds waiters that arrive
     * later.
     */
    private boolean isLookWanted() {
        return handOff.policy() != Policy.STRICT && turnsSinceLook > 0;
    }

    private void lookForOthers() {
        QueueWatch present = watch;
        if (present == null || lookUnderWay > 0 || !isConnected()) {
            return;
        }
        if (present.isLive()) {
            lookedForOthers();
        } else {
            lookUnderWay = present.look();
        }
    }

    private void lookedForOthers() {
        lookedForOthersAgain();
        for (SeatUse head : List.copyOf(heads)) {
            if (head.isUsed() && isWaitedFor(head)) {
                head.giveWay();
                arrived(head);
            }
        }
        again = true;
    }

    private void lookedForOthersAgain() {
        turnsSinceLook = 0;
        lookedAt = context.time().nanoTime();
    }

    private long untilLook() {
        return lookedAt + Nanos.of(handOff.maxTime()) - context.time().nanoTime();
    }

    private void cancelLook() {
        if (nextLook != null) {
            nextLook.cancel();
            nextLook = null;
        }
    }

    // requests

    private void addWaiting(Claim claim) {
        waiting.add(claim);
        plan.entered(claim);
    }

    private void forget(Claim claim) {
        if (waiting.remove(claim)) {
            plan.left(claim);
        }
        askers.remove(claim);
        returning.remove(claim);
    }

    private Stream<Claim> claims() {
        return Stream.<Collection<Claim>>of(waiting, askers.claims(), returning.keySet())
                .flatMap(claims -> List.copyOf(claims).stream());
    }

    @Override
    public void foundFree(Claim claim) {
        if (occupancy().isFree(claim.demand())) {
            addWaiting(claim);
        } else {
            forget(claim);
            refuseBusy(claim);
        }
        proceed();
    }

    @Override
    public void foundTaken(Claim claim, String who) {
        forget(claim);
        context.refuse(claim, claim.busy(who));
        proceed();
    }

    @Override
    public void askingFailed(Claim claim, Refusal refusal) {
        context.refuse(claim, refusal.about(name));
        proceed();
    }

    private void expire(Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        boolean owner = returning.containsKey(claim);
        // before the claim is removed, because waiters in front of it count
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

    /** @param asking whether the claim had no seat and only asked whether the lock is free */
    private Refusal notAnswered(Claim claim, boolean asking) {
        if (!isConnected()) {
            return claim.notAnswered(context.keeper().trouble());
        }
        String question = asking
                ? "the request whether it is free"
                : !heads.isEmpty()
                        ? "the request that proves that the session is alive"
                        : "the request for a seat in its queue";
        Duration waited = Duration.ofNanos(context.time().nanoTime() - claim.askedAt());
        return claim.notAnsweredYet(question, waited);
    }

    /** Returns whether a live connection shows that other requests hold the lock or precede this one. */
    public boolean isContended(Claim claim) {
        return isConnected() && (ahead() > 0 || occupancy().keepsWaiting(claim));
    }

    /** Returns how many seats are in front of the last seat of this process, as far as is known. */
    private int ahead() {
        int most = 0;
        QueueWatch present = watch;
        if (present != null && present.isRecent()) {
            for (SeatUse used : seats) {
                SeatName node = used.seat().name();
                // a seat that waited behind another one of its process was created after the listing, behind all seats
                // in the listing
                if (node != null
                        && used.seat().isWaiting()
                        && (present.view().contains(node)
                                || passesOnInMemory(used.seat().demand()))) {
                    most = Math.max(most, present.view().ahead(node));
                }
            }
        }
        return most;
    }

    private Occupancy occupancy() {
        return new Occupancy(turns(), waiting);
    }

    private boolean isConnected() {
        return context.keeper().connected().isPresent();
    }

    private void refuseBusy(Claim claim) {
        String who = occupancy()
                .blocker(claim.demand())
                .map(current -> "held by " + current.holder() + " of this process")
                .orElseGet(() -> Math.max(1, ahead()) + " contenders ahead" + first(claim));
        context.refuse(claim, claim.busy(who));
    }

    /** Finds out which process is first in the queue, for the messages of claims that end without the lock. */
    private void identifyFirst() {
        PinnedSession present = session;
        long now = context.time().nanoTime();
        boolean known = first != null && first.isSince(now - FIRST_KNOWN);
        if (present != null && watch != null && !known) {
            first = FirstSeat.ask(present, folder, now);
        }
    }

    private String first(Claim claim) {
        return first == null || !first.isSince(claim.askedAt()) ? "" : first.description();
    }
}
