package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Member;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.session.SeatBudget;
import io.github.zklock.zookeeper.internal.session.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One schedule while it runs: the ensemble, the processes, their contenders, and what goes wrong. */
final class SimWorld {

    static final String BASE_PATH = "/locks";

    private static final long ROOM_OF_A_SEAT = 100;

    private static final OwnerDescription OWNER = new OwnerDescription("instance", "host", 1);

    private final SimPlan plan;
    private final SimScheduler scheduler = new SimScheduler();
    private final SimRandom random;
    private final SimDelays delays;
    private final SimTrace trace;
    private final SimTally tally = new SimTally();
    private final SimChecks checks = new SimChecks(this);
    private final SimContention contention = new SimContention(this);
    private final SimEnsemble ensemble;
    private final SimFaults faults;
    private final SimErrors errors;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<SimContender> contenders = new ArrayList<>();
    private final Map<LockName, SimRegister> registers = new HashMap<>();
    private final List<LockName> locks;
    private final List<Integer> grantOrder = new ArrayList<>();
    private @Nullable SimViolation violation;

    SimWorld(SimPlan plan, boolean readable) {
        this.plan = plan;
        this.locks = IntStream.range(0, plan.locks()).mapToObj(SimWorld::name).toList();
        this.random = new SimRandom(plan.seed() ^ 0x5DEECE66DL);
        this.delays = new SimDelays(random, 200_000, plan.longestDelay(), plan.tailChance(), plan.tailMean());
        this.trace = new SimTrace(scheduler, readable);
        this.ensemble = new SimEnsemble(scheduler, random, delays, plan, tally, this::committed);
        this.faults = new SimFaults(this);
        this.errors = new SimErrors(this);
        for (int i = 0; i < plan.members().size(); i++) {
            Member member = plan.members().get(i);
            processes.add(new SimProcess(i, this, settings(), policy(member), member));
        }
        int number = 0;
        SimContender before = null;
        for (Wish wish : plan.wishes()) {
            SimContender contender = new SimContender(this, processes.get(wish.process()), wish, number++);
            if (before != null && wish.isBehind(before.wish())) {
                contender.askBehind(before);
            }
            contenders.add(contender);
            before = contender;
        }
    }

    /** Runs everything to its end, or to the first violation. */
    SimResult run() {
        new SimCourse(this, plan).run();
        tally.schedules = 1;
        countStanding(SimFault.CLOCK_DRIFT);
        countStanding(SimFault.LIMITS_DIFFER);
        tally.events = scheduler.steps();
        tally.contenders += contenders.size();
        return new SimResult(plan, violation, tally, trace.hash(), trace.shape(), ending(), trace.lines());
    }

    private void countStanding(SimFault fault) {
        if (plan.includes(fault)) {
            tally.hit(fault);
        }
    }

    /** How it ended for all who asked, without instants. */
    private int ending() {
        return 31 * contenders.stream().map(SimContender::ending).toList().hashCode() + grantOrder.hashCode();
    }

    void noteGrant(int contender) {
        grantOrder.add(contender);
    }

    SimPlan plan() {
        return plan;
    }

    SimScheduler scheduler() {
        return scheduler;
    }

    long now() {
        return scheduler.now();
    }

    SimRandom random() {
        return random;
    }

    SimDelays delays() {
        return delays;
    }

    SimTrace trace() {
        return trace;
    }

    SimTally tally() {
        return tally;
    }

    SimChecks checks() {
        return checks;
    }

    SimContention contention() {
        return contention;
    }

    SimEnsemble ensemble() {
        return ensemble;
    }

    SimErrors errors() {
        return errors;
    }

    SimFaults faults() {
        return faults;
    }

    List<SimProcess> processes() {
        return processes;
    }

    List<SimContender> contenders() {
        return contenders;
    }

    /** The longest session timeout that is granted at any time. */
    long timeout() {
        return plan.timeout();
    }

    Duration connectionTimeout() {
        return Duration.ofNanos(plan.timeout());
    }

    /** The second one is nested in the first. */
    private static LockName name(int index) {
        return LockName.of(index == 0 ? "/stats" : index == 1 ? "/stats/daily" : "/orders/" + index);
    }

    LockName lock(int index) {
        return locks.get(index);
    }

    String folder(LockName lock) {
        return BASE_PATH + lock.value();
    }

    SimRegister register(LockName lock) {
        return registers.computeIfAbsent(lock, absent -> new SimRegister(this));
    }

    /** Until when those hold who never give back of themselves. */
    long abandonedUntil() {
        return faults.healedAt() + timeout() * 5 / 2;
    }

    boolean isViolated() {
        return violation != null;
    }

    /** Only the first one counts: what comes after it may be its consequence. */
    void violated(String check, String what, @Nullable Throwable cause) {
        if (violation == null) {
            violation = new SimViolation(check, what, now(), cause);
            trace.note("VIOLATION", 0, check, what);
        }
    }

    void countGrant(SimHold hold, SimBook book) {
        tally.granted(hold.demand().kind());
        faults.granted(hold.process());
        if (book.isHandedOverTo(hold.process())) {
            tally.handovers++;
        }
        tally.hit(stepOf(hold, book));
    }

    private static SimStep stepOf(SimHold hold, SimBook book) {
        if (book.isInUse(hold.path)) {
            return SimStep.GRANT_BESIDE_OTHERS;
        } else if ((hold.token() & (Tokens.MAX_TURNS - 1)) == 0) {
            return SimStep.GRANT_ON_NEW_SEAT;
        }
        return hold.askedAt() == hold.grantedAt() ? SimStep.GRANT_ON_LINGERING_SEAT : SimStep.GRANT_FROM_HAND_TO_HAND;
    }

    /** Whether nothing has gone wrong for a while and messages travel fast. */
    boolean isCalm() {
        return plan.tailChance() == 0 && faults.areQuiet() && !ensemble.hasBrokenUpLately();
    }

    /** Long enough for a few round trips. */
    long promptly() {
        return 12 * plan.longestDelay();
    }

    /** How long it takes until a first grant can be proven. Of a foreign client it is not known how old its session is. */
    private long timeUntilProof(SimProcess process) {
        return process.ownsClient() ? timeout() / 2 : 2 * timeout();
    }

    /** Whether a claim had every chance to be answered by the cluster. */
    boolean isUntroubledSince(SimContender contender) {
        return isCalm()
                && !faults.anyBegun()
                && !checks.hasOperatorRemoved()
                && contender.engineWasConnected()
                && !contender.process().maySessionBeSuspect()
                && contender.process().client().isConnectedSince(contender.askedAt())
                && contender.askedAt() > 2 * SimPlan.TICK + timeUntilProof(contender.process())
                && now() - contender.askedAt() > 4 * promptly()
                && now() - contender.process().seatAskedAt() > promptly();
    }

    /** Whether one of the processes made the node, rather than somebody else's client. */
    boolean isOfEngines(String path) {
        SimTree.Entry node = ensemble.truth().entry(path);
        return node != null && processes.stream().anyMatch(process -> process.hadSession(node.owner));
    }

    /** Whether the session's client is being closed, which its holder may learn before the servers do. */
    boolean isClosing(long session) {
        return processes.stream()
                .anyMatch(each ->
                        each.client().session() == session && each.client().isClosing());
    }

    private void committed(SimTxn txn) {
        if (txn.request().kind != SimRequest.Kind.CHECK) {
            trace.note("COMMIT", 9, txn.request().kind, txn.request().path);
        }
        contention.committed(txn);
        checks.committed(txn);
        faults.committed(txn);
    }

    private static LockPolicy policy(Member member) {
        return new LockPolicy(
                member.handOff(), member.maxHold() == 0 ? null : Duration.ofNanos(member.maxHold()), null);
    }

    private Settings settings() {
        return new Settings(
                BASE_PATH,
                connectionTimeout(),
                Duration.ofMillis(20),
                Duration.ofNanos(plan.timeout() / 4),
                OWNER,
                seatBudget());
    }

    /** In some plans a session has room for a few seats only. Nothing is drawn for it: other plans stay what they were. */
    private long seatBudget() {
        long seed = plan.seed();
        return seed % 8 == 5 ? ROOM_OF_A_SEAT * (1 + seed / 8 % 3) : SeatBudget.DEFAULT_BYTES;
    }
}
