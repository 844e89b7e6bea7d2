package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimServer.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Three servers, one of which leads, and sometimes an observer. What is committed stands in one log; each server has
 * applied a beginning of it.
 *
 * <p>As measured and read in ZooKeeper: a follower that is cut off serves reads and pings alone for {@code syncLimit}
 * ticks; a leader that is cut off goes on for as long without committing; sessions expire at the last touch plus the
 * timeout, rounded up to a tick; a new leader gives every session its whole time anew.
 */
final class SimEnsemble {

    static final int VOTERS = 3;

    private final SimScheduler scheduler;
    private final SimRandom random;
    private final SimDelays delays;
    private final long tick;
    private final long timeout;
    private final long patience;
    private final long phase;
    private final long observerPingPhase;
    private final Consumer<SimTxn> observer;
    private final SimConditions conditions;
    private final SimTally tally;
    private final List<SimServer> servers = new ArrayList<>(VOTERS + 1);
    private final List<SimTxn> log = new ArrayList<>();
    private long epoch = 1;
    private long sessionIds = 0x10000;
    private int elections;
    private long replacedAt;
    private long brokenUpAt;
    private boolean healed;
    private SimReign latest;
    private SimServer truth;

    SimEnsemble(
            SimScheduler scheduler,
            SimRandom random,
            SimDelays delays,
            SimPlan plan,
            SimTally tally,
            Consumer<SimTxn> observer) {
        this.scheduler = scheduler;
        this.random = random;
        this.delays = delays;
        this.tick = SimPlan.TICK;
        this.timeout = plan.timeout();
        this.patience = plan.syncLimit() * tick;
        this.phase = random.between(0, tick);
        this.conditions = plan.conditions();
        this.observerPingPhase = conditions.observer() ? random.between(0, tick / 2) : 0;
        this.tally = tally;
        this.observer = observer;
        for (int i = 0; i < conditions.granted().size(); i++) {
            SimServer server = new SimServer(i, this);
            server.grants = conditions.granted().get(i) * tick;
            servers.add(server);
        }
        truth = servers.get(0);
        latest = crown(truth);
        join(servers.get(1), latest);
        join(servers.get(2), latest);
        servers.stream().filter(server -> !server.isVoter()).forEach(this::observe);
        scheduler.after(tick / 2, this::beat);
        scheduler.after(phase, this::expireSessions);
    }

    long now() {
        return scheduler.now();
    }

    long tick() {
        return tick;
    }

    long timeout() {
        return timeout;
    }

    long patience() {
        return patience;
    }

    long delay() {
        return delays.next();
    }

    List<SimServer> servers() {
        return servers;
    }

    int elections() {
        return elections;
    }

    /** What is committed. */
    SimTree truth() {
        return truth.tree;
    }

    /** The one that commits, if one can. */
    SimReign reign() {
        return latest;
    }

    /**
     * Whether a leader refuses the requests of this session because it closes it: also one that was deposed while it was
     * stopped, and that runs again without knowing it. The next leader gives the session another T, and its nodes outlive
     * the answer.
     */
    boolean isClosing(long session) {
        return latest.isClosing(session) || servers.stream().anyMatch(server -> isClosingInVain(server, session));
    }

    private boolean isClosingInVain(SimServer server, long session) {
        return server.reign != null
                && server.reign != latest
                && !server.isPaused()
                && server.reign.knows(session)
                && server.reign.isClosing(session);
    }

    SimLink newLink(Consumer<Runnable> receiver, boolean cut) {
        return new SimLink(scheduler, delays, receiver, cut);
    }

    long within(long limit) {
        return random.between(0, limit);
    }

    /** How long a leader closes the sessions of one bucket: any time while something else may go wrong as well. */
    long expiryLoop() {
        long longest = conditions.longestExpiryLoop();
        return within(healed || random.chance(0.5) ? Math.min(longest, 5_000_000) : longest);
    }

    /** From now on nothing is slow. */
    void heal() {
        healed = true;
    }

    /** How much later than half a tick after the last one a leader pings. */
    long pingStall() {
        long longest = conditions.longestPingStall();
        if (longest == 0 || random.chance(0.5)) {
            return 0;
        }
        tally.hit(SimFault.PING_STALLED);
        return within(longest);
    }

    /** A session was touched between the poll of its bucket and its closing. (M26) */
    void countTouchInVain() {
        tally.hit(SimFault.TOUCHED_IN_VAIN);
    }

    long shutdownTime() {
        return within(tick);
    }

    boolean losesTouch(@Nullable Long lostBefore) {
        boolean lost = conditions.touchesLost() > 0
                && (lostBefore == null || now() - lostBefore > timeout)
                && random.chance(conditions.touchesLost());
        if (lost) {
            tally.hit(SimFault.TOUCH_LOST);
        }
        return lost;
    }

    /** Nodes that a session made by an earlier connection than its present one. */
    private void countOvertaken(SimTxn txn) {
        txn.changes().stream()
                .filter(SimTxn.Change.Created.class::isInstance)
                .forEach(created -> tally.overtakenNodes.add(created.path()));
    }

    /** A client is connected to the observer. */
    void countObserved() {
        tally.hit(SimFault.OBSERVED);
    }

    /** Whether a client whose session is over is given another one, and not told. (M33) */
    boolean replacesSessionsSilently() {
        return conditions.silentSessions();
    }

    void countReplacedSession() {
        replacedAt = now();
        tally.hit(SimFault.SESSION_REPLACED);
    }

    /** What was sent for a session before it was replaced may have come to stand on the next one, until it is deleted. */
    boolean hasReplacedSessionLately() {
        return replacedAt > 0 && now() - replacedAt < timeout;
    }

    /** Whether a server has left its leader, or a leader its followers: pings that stall for long are enough for that. */
    boolean hasBrokenUpLately() {
        return brokenUpAt > 0 && now() - brokenUpAt < 2 * timeout;
    }

    void countBrokenUp() {
        brokenUpAt = now();
    }

    void at(long instant, Runnable action) {
        scheduler.at(instant, action);
    }

    long roundUp(long instant) {
        return ((instant - phase) / tick + 1) * tick + phase;
    }

    long electionAfter() {
        return now() + random.between(tick / 4, 3 * tick);
    }

    long newSessionId() {
        return ++sessionIds;
    }

    SimTxn commit(SimServer leader, SimProposal proposal) {
        SimTxn txn = leader.tree.resolve(proposal);
        log.add(txn);
        truth = leader;
        leader.apply(txn);
        if (proposal.request.overtaken) {
            countOvertaken(txn);
        }
        observer.accept(txn);
        return txn;
    }

    /** The follower has now logged what it had not, of the first so many transactions. */
    void logged(SimServer follower, int until) {
        for (int i = follower.tree.applied(); i < until; i++) {
            long[] loggedAt = log.get(i).proposal().loggedAt;
            loggedAt[follower.id] = Math.min(loggedAt[follower.id], now());
        }
    }

    /** The server logs nothing from now on: what was on its way to its log does not come there. */
    void stopsLogging(SimServer server) {
        if (!server.isVoter()) {
            return;
        }
        for (int i = server.tree.applied(); i < log.size(); i++) {
            log.get(i).proposal().notLogged(server.id, now());
        }
        latest.pending().forEach(proposal -> proposal.notLogged(server.id, now()));
    }

    void cut(SimServer server, boolean deaf, boolean mute) {
        server.deaf = deaf;
        server.mute = mute;
        for (SimServer each : servers) {
            SimReign leader = each.leader;
            SimServer other = each.upstream();
            if (other != null) {
                boolean wasCut = each.down.isCut() || each.up.isCut();
                each.up.setCut(each.mute || other.deaf);
                each.down.setCut(each.deaf || other.mute);
                if (wasCut && leader != null && each.leader == leader && !each.up.isCut() && !each.down.isCut()) {
                    leader.linksHealed(each);
                }
            }
        }
    }

    void start(SimServer server) {
        if (server.role == Role.DOWN) {
            server.role = Role.LOOKING;
            server.lookingUntil = electionAfter();
        }
    }

    private void expireSessions() {
        for (SimServer server : servers) {
            if (server.reign != null && !server.isPaused()) {
                server.reign.expireSessions();
            }
        }
        scheduler.after(tick, this::expireSessions);
    }

    private void beat() {
        for (SimServer server : servers) {
            if (server.isPaused()) {
                continue;
            }
            switch (server.role) {
                case LEADING -> server.reign.beat();
                case FOLLOWING -> {
                    SimServer other = server.leader.server();
                    boolean goneForGood = other.reign != server.leader && canTalk(server, other) && !other.isPaused();
                    if (goneForGood || server.heardFromLeaderAt < now() - patience) {
                        server.look();
                    } else {
                        at(now() + observerPingPhase, () -> server.enter(server::pingObservers));
                    }
                }
                case OBSERVING -> {
                    if (server.heardFromLeaderAt < now() - patience) {
                        server.look();
                    }
                }
                case LOOKING -> {
                    if (now() >= server.lookingUntil) {
                        if (server.isVoter()) {
                            find(server);
                        } else {
                            observe(server);
                        }
                    }
                }
                case DOWN -> {
                    // nothing to do until it is started
                }
            }
        }
        scheduler.after(tick / 2, this::beat);
    }

    private void find(SimServer server) {
        SimServer leader = latest.server();
        if (leader.reign == latest && leader != server && !leader.isPaused()) {
            if (canTalk(server, leader)) {
                join(server, latest);
                return;
            }
        }
        List<SimServer> voters = servers.stream()
                .filter(each -> each.isVoter()
                        && each.role == Role.LOOKING
                        && !each.isPaused()
                        && (each == server || canTalk(server, each)))
                .toList();
        if (voters.size() > VOTERS / 2) {
            elect(voters);
        }
    }

    private void elect(List<SimServer> voters) {
        SimServer winner = voters.get(0);
        for (SimServer each : voters) {
            winner = loggedBy(each) > loggedBy(winner) ? each : winner;
        }
        int logged = loggedBy(winner);
        if (logged < log.size()) {
            throw new IllegalStateException("The model lost a committed transaction");
        }
        elections++;
        for (int i = winner.tree.applied(); i < log.size(); i++) {
            winner.tree.apply(log.get(i));
        }
        int survivors = logged - log.size();
        List<SimProposal> orphans = List.copyOf(latest.pending());
        latest.pending().clear();
        // what a majority of the voters has logged survives its leader, although nobody was told
        for (SimProposal orphan : orphans.subList(0, survivors)) {
            commit(winner, orphan);
        }
        epoch++;
        latest = crown(winner);
        for (SimServer each : voters) {
            if (each != winner) {
                join(each, latest);
            }
        }
    }

    private int loggedBy(SimServer server) {
        int logged = server.tree.applied();
        while (logged < log.size() && log.get(logged).proposal().loggedAt[server.id] <= server.leftAt) {
            logged++;
        }
        if (logged == log.size()) {
            for (SimProposal orphan : latest.pending()) {
                if (orphan.loggedAt[server.id] > server.leftAt) {
                    break;
                }
                logged++;
            }
        }
        return logged;
    }

    private SimReign crown(SimServer server) {
        server.role = Role.LEADING;
        SimReign reign = new SimReign(this, server, epoch);
        server.reign = reign;
        return reign;
    }

    private void join(SimServer server, SimReign reign) {
        for (int i = server.tree.applied(); i < reign.server().tree.applied(); i++) {
            server.tree.apply(log.get(i));
        }
        server.role = Role.FOLLOWING;
        server.leader = reign;
        server.heardFromLeaderAt = now();
        // new ones: what was sent on those of an earlier membership still arrives
        server.up = newLink(reign.server()::enter, server.mute || reign.server().deaf);
        server.down = newLink(server::enter, server.deaf || reign.server().mute);
        reign.joined(server);
    }

    /*
     * QuorumPeer.findLearnerMaster: one of the followers. One that is behind would have the observer forget what it had carried
     * out (LearnerHandler.syncFollower, TRUNC); here it waits until that one has caught up, as clients that have seen more are
     * refused either way.
     */
    private void observe(SimServer observer) {
        List<SimServer> masters = servers.stream()
                .filter(each -> each.takesObservers()
                        && canTalk(observer, each)
                        && each.tree.applied() >= observer.tree.applied())
                .toList();
        if (masters.isEmpty()) {
            return;
        }
        SimServer master = random.oneOf(masters);
        for (int i = observer.tree.applied(); i < master.tree.applied(); i++) {
            observer.tree.apply(log.get(i));
        }
        observer.role = Role.OBSERVING;
        observer.master = master;
        observer.heardFromLeaderAt = now();
        observer.up = newLink(master::enter, observer.mute || master.deaf);
        observer.down = newLink(observer::enter, observer.deaf || master.mute);
        master.takeIn(observer);
    }

    private static boolean canTalk(SimServer one, SimServer other) {
        return !one.mute && !one.deaf && !other.mute && !other.deaf;
    }
}
