package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import java.util.List;

/** What goes wrong with servers and between them. */
final class SimServerFaults {

    private final SimWorld world;
    private final SimRandom random;
    private final List<Runnable> cures;

    SimServerFaults(SimWorld world, SimRandom random, List<Runnable> cures) {
        this.world = world;
        this.random = random;
        this.cures = cures;
    }

    void begin(Mishap mishap, SimProcess near) {
        SimServer leader = world.ensemble().reign().server();
        SimServer follower = follower(near, leader, mishap);
        world.tally().hit(mishap.fault());
        switch (mishap.fault()) {
            case FOLLOWER_CUT -> cut(follower, true, true, mishap);
            case FOLLOWER_DEAF -> cut(follower, true, false, mishap);
            case FOLLOWER_MUTE -> cut(follower, false, true, mishap);
            case FOLLOWER_SLOW -> slow(follower, mishap);
            case FOLLOWER_CRASH -> stop(follower, mishap.length());
            case FOLLOWER_PAUSED -> pause(follower, mishap.length());
            case LIMITS_CHANGED -> changeLimits(random.oneOf(world.ensemble().servers()), mishap);
            case LEADER_CUT -> cut(leader, true, true, mishap);
            case LEADER_CRASH -> stop(leader, mishap.length());
            case ENSEMBLE_DOWN ->
                world.ensemble()
                        .servers()
                        .forEach(each -> stop(each, mishap.length() + random.between(0, SimPlan.TICK / 2)));
            default -> throw new IllegalArgumentException("Not of servers: " + mishap);
        }
    }

    /** Stops a server or its cables, for as long as planned. */
    void stopFor(SimServer server, Mishap mishap) {
        if (mishap.choice() % 2 == 0) {
            stop(server, mishap.length());
        } else {
            cut(server, true, true, mishap);
        }
    }

    /** One that serves the process, more often than not. */
    private SimServer follower(SimProcess near, SimServer leader, Mishap mishap) {
        SimConnection connection = near.client().connection();
        if (connection != null && connection.server != leader && random.chance(0.7)) {
            return mishap.choice() % 2 == 0 ? connection.server : connection.server.teller();
        }
        int id = leader.id + 1 + random.below(SimEnsemble.VOTERS - 1);
        return world.ensemble().servers().get(id % SimEnsemble.VOTERS);
    }

    /** The one that is paused goes on at the end of the mishap at the latest. */
    SimServer pauseLeader(Mishap mishap) {
        SimServer leader = world.ensemble().reign().server();
        world.tally().hit(mishap.fault());
        pause(leader, mishap.length());
        return leader;
    }

    /**
     * A pause that clients may not notice counts among the time between two pings of the leader, or of an observer master: it
     * is longer if it would exceed what the assumptions allow.
     */
    private void pause(SimServer server, long planned) {
        long length = standstill(planned);
        server.pause(length);
        cure(length, () -> goOn(server));
    }

    /** Ends a pause as soon as the assumptions allow. */
    void goOn(SimServer server) {
        long length = world.now() - server.pausedSince();
        world.scheduler().after(standstill(length) - length, server::goOn);
    }

    private long standstill(long planned) {
        SimConditions conditions = world.plan().conditions();
        boolean allowed = planned <= conditions.pingStallBound() - conditions.longestPingStall();
        return allowed ? planned : Math.max(planned, world.timeout() / SimPlan.STANDSTILL + 1);
    }

    private void changeLimits(SimServer server, Mishap mishap) {
        int least = world.plan().conditions().least();
        int choices = world.plan().timeoutTicks() - least + 1;
        server.stop();
        server.grants = (least + mishap.choice() % choices) * SimPlan.TICK;
        cure(mishap.length(), () -> world.ensemble().start(server));
    }

    private void stop(SimServer server, long length) {
        server.stop();
        cure(length, () -> world.ensemble().start(server));
    }

    private void slow(SimServer server, Mishap mishap) {
        server.slowBy = random.between(world.timeout() / 40, world.timeout() / 4);
        cure(mishap.length(), () -> server.slowBy = 0);
    }

    private void cut(SimServer server, boolean deaf, boolean mute, Mishap mishap) {
        world.ensemble().cut(server, deaf, mute);
        cure(mishap.length(), () -> world.ensemble().cut(server, false, false));
    }

    private void cure(long length, Runnable action) {
        cures.add(action);
        world.scheduler().after(length, action);
    }
}
