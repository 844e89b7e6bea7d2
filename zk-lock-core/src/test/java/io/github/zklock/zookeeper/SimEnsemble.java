package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimServer.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Three servers, one of which leads. What is committed stands in one log; each server has applied a beginning of it.
 *
 * <p>As measured and read in ZooKeeper: a follower that is cut off serves reads and pings alone for {@code syncLimit}
 * ticks; a leader that is cut off goes on for as long without committing; sessions expire at the last touch plus the
 * timeout, rounded up to a tick; a new leader gives every session its whole time anew.
 */
final class SimEnsemble {

    static final int SERVERS = 3;

    private final SimScheduler scheduler;
    private final SimRandom random;
    private final SimDelays delays;
    private final long tick;
    private final long timeout;
    private final long patience;
    private final long phase;
    private final Consumer<SimTxn> observer;
    private final List<SimServer> servers = new ArrayList<>(SERVERS);
    private final List<SimTxn> log = new ArrayList<>();
    private long epoch = 1;
    private long sessionIds = 0x10000;
    private int elections;
    private SimReign latest;
    private SimServer truth;

    SimEnsemble(
            SimScheduler scheduler,
            SimRandom random,
            SimDelays delays,
            long tick,
            int timeoutTicks,
            int syncLimit,
            Consumer<SimTxn> observer) {
        this.scheduler = scheduler;
        this.random = random;
        this.delays = delays;
        this.tick = tick;
        this.timeout = timeoutTicks * tick;
        this.patience = syncLimit * tick;
        this.phase = random.between(0, tick);
        this.observer = observer;
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new SimServer(i, this));
        }
        truth = servers.get(0);
        latest = crown(truth);
        join(servers.get(1), latest);
        join(servers.get(2), latest);
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

    /** Whether the server leads, or follows the one that does. */
    boolean isInOffice(SimServer server) {
        return server.reign == latest || server.leader == latest;
    }

    SimLink newLink(boolean cut) {
        return new SimLink(scheduler, delays, cut);
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

    void cut(SimServer server, boolean deaf, boolean mute) {
        server.deaf = deaf;
        server.mute = mute;
        for (SimServer each : servers) {
            SimReign leader = each.leader;
            if (leader != null) {
                boolean wasCut = each.down.isCut() || each.up.isCut();
                SimServer other = leader.server();
                each.up.setCut(each.mute || other.deaf);
                each.down.setCut(each.deaf || other.mute);
                if (wasCut && each.leader == leader && !each.up.isCut() && !each.down.isCut()) {
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
            if (server.reign != null) {
                server.reign.expireSessions();
            }
        }
        scheduler.after(tick, this::expireSessions);
    }

    private void beat() {
        for (SimServer server : servers) {
            switch (server.role) {
                case LEADING -> {
                    if (server.reign.hasMajority()) {
                        server.reign.pingFollowers();
                    } else {
                        server.look();
                    }
                }
                case FOLLOWING -> {
                    SimServer other = server.leader.server();
                    boolean goneForGood = other.reign != server.leader && canTalk(server, other);
                    if (goneForGood || server.heardFromLeaderAt < now() - patience) {
                        server.look();
                    }
                }
                case LOOKING -> {
                    if (now() >= server.lookingUntil) {
                        find(server);
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
        if (leader.reign == latest && leader != server) {
            if (canTalk(server, leader)) {
                join(server, latest);
                return;
            }
        }
        List<SimServer> voters = servers.stream()
                .filter(each -> each.role == Role.LOOKING && (each == server || canTalk(server, each)))
                .toList();
        if (voters.size() > SERVERS / 2) {
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
        server.up.setCut(server.mute || reign.server().deaf);
        server.down.setCut(server.deaf || reign.server().mute);
        reign.joined(server);
    }

    private static boolean canTalk(SimServer one, SimServer other) {
        return !one.mute && !one.deaf && !other.mute && !other.deaf;
    }
}
