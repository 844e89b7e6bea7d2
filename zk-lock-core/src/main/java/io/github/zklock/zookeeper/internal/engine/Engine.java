package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Announcer;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.EngineContext;
import io.github.zklock.zookeeper.internal.local.HoldLimit;
import io.github.zklock.zookeeper.internal.local.LocalQueue;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.Chain;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Deletions;
import io.github.zklock.zookeeper.internal.seat.OrphanSweep;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.Enquiries;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;
import io.github.zklock.zookeeper.internal.session.SessionNode;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The core of a registry: its queues, its session, and the reports of their changes. It uses no threads of its own: all
 * calls and all answers run on the loop, one at a time.
 */
final class Engine implements EngineContext, SessionKeeper.Client {

    /** The number of ticks that may be late. */
    private static final long MOST_TICKS = 4;
    /** The number of further checks before missing ticks count as a failure. */
    private static final long MOST_LOOKS = 10;

    private final EngineRun run;
    private final Settings settings;
    private final Wire wire;
    private final Time time;
    private final Announcer announcer;
    private final SeatIds ids;
    private final OrphanSweep orphans;
    private final Deletions deletions;
    private final SessionKeeper keeper;
    private final HoldWatch holdWatch;
    private final Map<LockName, LocalQueue> queues = new HashMap<>();
    /** The granted turns, until their release or loss was reported. */
    private final Chain<Turn> live = new Chain<>();
    /** The policies of the existing queues. Read by any thread. */
    private final Map<LockName, LockPolicy> policies = new ConcurrentHashMap<>();

    private final Set<LocalQueue> wantingProof = new LinkedHashSet<>();
    private final Enquiries enquiries;
    private boolean closed;
    private Runnable whenFree = () -> {};
    private Runnable whenQuiet = () -> {};
    private Runnable whenOver = () -> {};

    /**
     * @param run runs the calls of the wire and of the clocks
     * @param successor whether the session may have nodes of a previous engine
     */
    Engine(EngineRun run, Settings settings, Wire wire, Time time, Notifier notifier, SeatIds ids, boolean successor) {
        this.run = run;
        if (successor) {
            run.distrustBefore(time.nanoTime());
        }
        this.settings = settings;
        this.wire = wire;
        this.time = time;
        this.announcer = new Announcer(notifier, time);
        this.ids = ids;
        Backoff backoff = new Backoff(Nanos.of(settings.firstBackoff()), Nanos.of(settings.maxBackoff()));
        this.deletions = new Deletions(time);
        this.orphans = new OrphanSweep(settings.basePath(), ids::areOurs, deletions, successor);
        this.keeper = new SessionKeeper(run, wire, time, settings.basePath(), backoff, this);
        this.enquiries = new Enquiries(keeper);
        this.holdWatch = new HoldWatch(notifier);
    }

    void start() {
        keeper.start();
    }

    /**
     * Returns the policy that applies to a lock now; empty if this process neither holds the lock nor waits for it, and
     * keeps no seat of it. Any thread.
     */
    Optional<LockPolicy> policyInForce(LockName name) {
        return Optional.ofNullable(policies.get(name));
    }

    void acquire(Claim claim) {
        if (closed) {
            refuse(claim, Refusal.closed().about(claim.name()));
        } else if (keeper.denial().isPresent()) {
            refuse(claim, keeper.denial().get().about(claim.name()));
        } else if (isBehindAContendedLock(claim)) {
            refuse(claim, claim.behindAnother());
        } else {
            queue(claim).enter(claim);
        }
    }

    /** Returns whether the lock before is known to be taken. Then a seat for this lock would only block others. */
    private boolean isBehindAContendedLock(Claim claim) {
        Claim before = claim.before();
        if (before == null) {
            return false;
        }
        LocalQueue queue = queues.get(before.name());
        return before.isOpen() ? queue != null && queue.isContended(before) : !claim.mayBeGranted();
    }

    /** Runs the action, and sends the writes that it requests in one transaction where possible. */
    void together(Runnable asking) {
        keeper.connected().ifPresentOrElse(session -> session.together(asking), asking);
    }

    /** Answers the claim when the turn that its caller owns is proven again or lost. */
    void reenter(Claim claim) {
        queue(claim).reenter(claim);
    }

    /** Withdraws a claim whose caller has cancelled the request, in any state of the claim. */
    void cancel(Claim claim) {
        LocalQueue queue = queues.get(claim.name());
        if (queue != null) {
            queue.withdraw(claim);
        } else {
            claim.withdraw();
        }
    }

    /** Ends the wait of a claim with this refusal. Returns false if it is answered already. */
    boolean reject(Claim claim, Refusal refusal) {
        LocalQueue queue = queues.get(claim.name());
        if (!claim.isOpen() || queue == null) {
            return false;
        }
        queue.refuse(claim, refusal);
        return true;
    }

    /** Releases a turn whose last hold was dropped. Does nothing at further calls. */
    void release(Turn turn) {
        if (!turn.markGivenBack()) {
            return;
        }
        turn.endLimits();
        LocalQueue queue = queues.get(turn.name());
        if (queue != null) {
            queue.giveBack(turn);
        }
        announcer.released(turn);
        live.remove(turn);
        tellIfFree();
    }

    /**
     * Returns why this engine cannot continue; empty if it can.
     *
     * @param pauseNanos the time between two calls
     */
    String trouble(long pauseNanos) {
        if (run.isBroken()) {
            return "an answer or an alarm was lost on its way to the loop";
        }
        if (!keeper.isClosed() && run.hasMissedTicks(MOST_TICKS * keeper.tickPause() / pauseNanos + MOST_LOOKS)) {
            return "the tick has stopped";
        }
        if (keeper.session()
                .filter(session -> session.hasLostAnAnswer(pauseNanos))
                .isPresent()) {
            return "a request to ZooKeeper was never answered";
        }
        return "";
    }

    /** Releases the locks of callers whose release did not reach the loop. (L26) */
    void finishReleases() {
        live.forEach(turn -> {
            turn.closeUnclosed();
            if (turn.isReleased()) {
                release(turn);
            }
        });
    }

    /**
     * Stops this engine. Reports the loss to each holder, and rejects the questions that wait.
     *
     * @param reason of the losses
     */
    void forsake(String reason) {
        // the end of this engine is not the end of the registry
        whenFree = () -> {};
        whenQuiet = () -> {};
        whenOver = () -> {};
        deletions.whenEmpty(() -> {});
        live.forEach(turn -> Isolated.run(() -> lost(turn, reason)));
        // each step alone, because any of these may be damaged, and the next engine must start
        Isolated.run(() -> enquiries.refuseAll(Refusal.of(Refusal.Reason.UNAVAILABLE, reason)));
        Isolated.forEach(queues.values(), LocalQueue::forsake);
        Isolated.run(deletions::abandon);
        Isolated.run(
                () -> keeper.session().ifPresent(session -> session.budget().leave()));
        Isolated.run(wire::leave);
    }

    /**
     * Takes the turn from its holders at this instant, unless the limit has ended by then or was moved.
     *
     * @param instant on the monotonic clock
     * @param reason of the loss
     */
    void limit(Turn turn, HoldLimit limit, long instant, String reason) {
        turn.limit(limit, Math.max(0, instant - time.nanoTime()), () -> takeBack(turn, reason));
    }

    /**
     * Rejects new and waiting claims.
     *
     * @param whenFree runs when no lock is held
     */
    void drain(Runnable whenFree) {
        closed = true;
        enquiries.end();
        Isolated.forEach(queues.values(), queue -> queue.refuseAll(Refusal.closed()));
        this.whenFree = whenFree;
        tellIfFree();
    }

    /**
     * Removes the seats that are not held, and each other seat when its holder has released it.
     *
     * @param held what happens to locks that are held now
     * @param whenRemoved runs when the nodes of the removed seats are known to be deleted; perhaps more than once
     * @param whenQuiet runs when no lock is held and the last node is known to be deleted; perhaps more than once
     * @param whenOver runs after {@code whenQuiet}, when in addition no other node can follow; perhaps more than once
     */
    void close(OnClose held, Runnable whenRemoved, Runnable whenQuiet, Runnable whenOver) {
        closed = true;
        enquiries.end();
        Isolated.forEach(queues.values(), queue -> queue.close(held));
        this.whenQuiet = whenQuiet;
        this.whenOver = whenOver;
        Runnable told = () -> {
            if (deletions.isEmpty() && !orphans.isDue()) {
                whenRemoved.run();
                tellIfQuiet();
            }
        };
        orphans.whenDone(told);
        deletions.whenEmpty(told);
    }

    /** Returns the questions about locks. */
    Enquiries enquiries() {
        return enquiries;
    }

    /**
     * Reports the forced deletion of a seat's node, so that a holder in this process does not have to wait for the next
     * renewal.
     */
    void tellEvicted(String seatId) {
        keeper.session()
                .flatMap(session -> session.node(seatId))
                .filter(seat -> seat.path() != null)
                .ifPresent(SessionNode::vanished);
    }

    /** Ends everything: nothing is attempted any more. */
    void shutDown() {
        closed = true;
        whenQuiet = () -> {};
        whenOver = () -> {};
        enquiries.end();
        Isolated.forEach(queues.values(), queue -> queue.close(OnClose.RELEASE_HELD));
        deletions.abandon();
        orphans.abandon();
        keeper.close();
        wire.close();
    }

    /** Returns whether no lock is held, waited for or lingering, and no node is to be deleted. */
    boolean isQuiet() {
        return queues.isEmpty() && deletions.isEmpty() && !orphans.isDue();
    }

    List<Held> held() {
        return describe(turns());
    }

    /** Returns the turns of the holders, in no order. */
    List<Turn> turns() {
        return queues.values().stream().flatMap(queue -> queue.turns().stream()).toList();
    }

    /** Describes turns, the oldest first. Any thread: there may be many, so that it is not done on the loop. */
    static List<Held> describe(List<Turn> turns) {
        return turns.stream()
                // two readings of the clock for two durations would not show the order
                .sorted((one, other) -> Long.signum(one.grantedAt() - other.grantedAt()))
                .map(Turn::describe)
                .toList();
    }

    /** Returns the claims that wait, in no order. */
    List<Claim> waits() {
        return queues.values().stream().flatMap(LocalQueue::claims).toList();
    }

    LockInspector.Session session() {
        Optional<PinnedSession> session = keeper.session();
        return new LockInspector.Session(
                keeper.isConnected(),
                session.map(PinnedSession::sessionId).map(Long::toHexString).orElse(""),
                session.map(PinnedSession::timeoutNanos).map(Duration::ofNanos).orElse(Duration.ZERO),
                session.map(each -> Duration.ofNanos(each.remainingNanos(time.nanoTime())))
                        .orElse(Duration.ZERO),
                keeper.renewals(),
                session.map(each -> each.budget().seats()).orElse(0),
                session.map(each -> each.budget().bytes()).orElse(0L),
                settings.seatBudget());
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Time time() {
        return time;
    }

    @Override
    public Announcer announcer() {
        return announcer;
    }

    @Override
    public SessionKeeper keeper() {
        return keeper;
    }

    @Override
    public Seat newSeat(Seat.Owner owner, PinnedSession session, String folder, Claim seeker, HandOff handOff) {
        long wall = time.wallNanos();
        Instant since = Instant.ofEpochSecond(wall / 1_000_000_000L, wall % 1_000_000_000L);
        Label label = new Label(settings.owner(), seeker.waiter(), since);
        String id = ids.next().toString();
        return new Seat(
                owner,
                session,
                deletions,
                folder,
                handOff.linger().isZero() ? id : SeatName.lingering(id),
                seeker.demand(),
                label,
                handOff.policy() == HandOff.Policy.STRICT);
    }

    @Override
    public void grant(Turn turn, Claim claim) {
        live.add(turn);
        Duration maxHold = turn.policy().maxHold();
        if (maxHold != null) {
            String reason = "the maximum hold of " + Words.of(maxHold) + " is over";
            limit(turn, new HoldLimit(), time.nanoTime() + Nanos.of(maxHold), reason);
        }
        claim.grant(turn);
        announcer.granted(turn);
    }

    @Override
    public void refuse(Claim claim, Refusal refusal) {
        claim.refuse(refusal);
        if (!claim.isTakenBehindAnother()) {
            announcer.refused(claim, refusal);
        }
    }

    @Override
    public void lost(Turn turn, String reason) {
        turn.lose(reason);
        if (turn.isLossUntold()) {
            turn.endLimits();
            announcer.lost(turn, reason);
            live.remove(turn);
        }
        tellIfFree();
    }

    @Override
    public void giveBack(Turn turn) {
        if (turn.dropHold()) {
            release(turn);
        }
    }

    @Override
    public void inTurn(Runnable task) {
        run.inTurn(task);
    }

    @Override
    public void wantProof(LocalQueue queue) {
        wantingProof.add(queue);
        keeper.wantProof();
    }

    @Override
    public void retire(LocalQueue queue) {
        if (queues.remove(queue.name(), queue)) {
            policies.remove(queue.name());
        }
        wantingProof.remove(queue);
        tellIfFree();
        tellIfQuiet();
    }

    @Override
    public void connected(PinnedSession session) {
        deletions.continueOn(session);
        Isolated.run(() -> orphans.connected(session));
        Isolated.forEach(queues.values(), queue -> queue.connected(session));
        enquiries.connected(session);
    }

    @Override
    public void disconnected() {
        Isolated.forEach(queues.values(), LocalQueue::connectionLost);
        // the end of a session is reported as a loss
        if (keeper.session().isPresent()) {
            lookAtProofs();
        }
    }

    private void lookAtProofs() {
        Isolated.forEach(queues.values(), queue -> Isolated.forEach(queue.turns(), holdWatch::lookAtProof));
    }

    @Override
    public void clientClosed() {
        // in this order: the end of the deletions may complete the shutdown, which also waits for the orphans
        orphans.abandon();
        deletions.abandon();
    }

    @Override
    public void ended(PinnedSession session, String reason) {
        deletions.sessionEnded();
        Isolated.forEach(session.nodes(), node -> node.sessionEnded(reason));
        tellIfQuiet();
    }

    @Override
    public void proofAdvanced() {
        if (holdWatch.hasSuspensions() && isProven()) {
            holdWatch.forgetSuspensions();
            lookAtProofs();
        }
        if (!wantingProof.isEmpty()) {
            if (isProven()) {
                List<LocalQueue> wanting = List.copyOf(wantingProof);
                wantingProof.clear();
                Isolated.forEach(wanting, LocalQueue::proofAdvanced);
            } else {
                // with thousands of locks, to try each of them at each answer would take longer than the answers
                keeper.wantProof();
            }
        }
    }

    @Override
    public void denied(Refusal refusal) {
        enquiries.refuseAll(refusal);
        Isolated.forEach(queues.values(), queue -> queue.refuseAll(refusal));
    }

    @Override
    public void tick() {
        Isolated.run(() -> keeper.connected().ifPresent(orphans::tick));
        Isolated.forEach(queues.values(), queue -> {
            Isolated.forEach(queue.turns(), holdWatch::look);
            queue.tick();
        });
    }

    private boolean isProven() {
        return keeper.session()
                .filter(session -> session.isValid(time.nanoTime()))
                .isPresent();
    }

    private LocalQueue queue(Claim claim) {
        LocalQueue there = queues.get(claim.name());
        if (there != null) {
            return there;
        }
        LockPolicy policy = claim.policy();
        LocalQueue made = new LocalQueue(claim.name(), claim.demand(), policy, this);
        queues.put(claim.name(), made);
        policies.put(claim.name(), policy);
        return made;
    }

    private void tellIfFree() {
        if (closed && live.isEmpty()) {
            whenFree.run();
        }
    }

    private void tellIfQuiet() {
        if (isQuiet()) {
            whenQuiet.run();
            if (!mayNodeFollow()) {
                whenOver.run();
            }
        }
    }

    /** Returns whether a node may still be created on a session that stays, where only this engine would delete it. */
    private boolean mayNodeFollow() {
        return keeper.session()
                .filter(session -> session.outlivesRegistry() && orphans.mayFindLater(session))
                .isPresent();
    }

    private void takeBack(Turn turn, String reason) {
        LocalQueue queue = queues.get(turn.name());
        if (queue != null) {
            queue.lose(turn, reason);
        }
    }
}
