package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimRequest.Kind;
import java.util.UUID;

/**
 * A client of another library that stands in line for a while, as Curator's mutex does, and goes away: by deleting its
 * node, by closing its session, or by dying without a word.
 */
final class SimForeigner implements SimHost {

    private final SimWorld world;
    private final SimClient client;
    private final String folder;
    private final long stay;
    private final int manner;
    private boolean asked;
    private boolean dead;

    SimForeigner(SimWorld world, String folder, long stay, int manner) {
        this.world = world;
        this.folder = folder;
        this.stay = stay;
        this.manner = manner;
        this.client = new SimClient(this, world.ensemble(), world.scheduler(), world.random(), world.delays(), false);
    }

    void start() {
        client.connect();
    }

    @Override
    public void enter(Runnable action) {
        if (!dead) {
            action.run();
        }
    }

    @Override
    public void enterFirst(Runnable action) {
        enter(action);
    }

    @Override
    public long nanoTime() {
        return world.now();
    }

    @Override
    public boolean sharesClient() {
        return true;
    }

    @Override
    public boolean isIsolated() {
        return false;
    }

    @Override
    public void changed(SimClient changed) {
        if (changed.liveness() == WireSession.Liveness.CONNECTED && !asked) {
            asked = true;
            // the client finishes connecting before it is used
            world.scheduler().after(1, () -> enter(this::stand));
        }
    }

    @Override
    public SimTrouble sending(SimClient by, SimRequest request) {
        return SimTrouble.NONE;
    }

    private void stand() {
        client.submit(SimRequest.silent(Kind.MAKE_FOLDER, folder));
        String id = new UUID(world.random().next(), world.random().next()).toString();
        String stem = manner % 2 == 0 ? "/_c_" + id + "-lock-" : "/lock-";
        client.submit(new SimRequest(Kind.CREATE, folder + stem, (outcome, node) -> {
            if (outcome == Outcome.OK && manner % 3 == 0) {
                String path = ((WireSession.Node) node).path();
                world.scheduler().after(stay, () -> enter(() -> client.submit(SimRequest.silent(Kind.DELETE, path))));
            }
        }));
        world.scheduler().after(stay + world.ensemble().tick(), () -> enter(this::leave));
    }

    private void leave() {
        if (manner % 3 == 1) {
            dead = true;
        } else {
            client.close(true);
        }
    }
}
