package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.List;
import java.util.UUID;

/**
 * A client of another library that stands in line for a while, as those of Curator's recipes do, and goes away: by
 * deleting its node, by closing its session, or by dying without a word. A writer may become a reader first, by a second
 * node of the same number.
 */
final class SimForeigner implements SimHost {

    private final SimWorld world;
    private final SimClient client;
    private final String folder;
    private final Demand demand;
    private final long stay;
    private final int manner;
    private boolean asked;
    private boolean dead;

    SimForeigner(SimWorld world, String folder, Demand demand, long stay, int manner) {
        this.world = world;
        this.folder = folder;
        this.demand = demand;
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
    public long wallNanos() {
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
        SimRequest create = new SimRequest(Kind.CREATE, folder, (outcome, done) -> {
            if (outcome == Outcome.OK) {
                standing(((WireSession.Transacted) done).seats().get(0).path());
            }
        });
        create.changes = List.of(RecordedSession.createSeat(folder + "/" + stem()));
        client.submit(create);
        world.scheduler().after(stay + world.ensemble().tick(), () -> enter(this::leave));
    }

    private String stem() {
        String id = new UUID(world.random().next(), world.random().next()).toString();
        boolean anonymous = manner % 2 == 1;
        return switch (demand.kind()) {
            case EXCLUSIVE -> anonymous ? "lock-" : "_c_" + id + "-lock-";
            case READ -> anonymous ? "__READ__" : "_c_" + id + "-__READ__";
            case WRITE -> anonymous ? "__WRIT__" : "_c_" + id + "-__WRIT__";
            case PERMITS -> "_c_" + id + "-permits-" + demand.permits() + "-of-" + demand.of() + "-";
        };
    }

    private void standing(String path) {
        if (demand.equals(Demand.WRITE) && manner % 4 != 3) {
            readToo(path);
        } else if (manner % 3 == 0) {
            world.scheduler().after(stay, () -> enter(() -> delete(path)));
        }
    }

    /** As soon as it holds, it reads as well. Some time later it no longer writes. */
    private void readToo(String writer) {
        SimTree truth = world.ensemble().truth();
        if (truth.entry(writer) == null) {
            return;
        }
        if (SimQueue.of(truth, folder)
                .obstacle(SimSeat.of(SimTree.nameOf(writer)))
                .isPresent()) {
            world.scheduler().after(world.ensemble().tick() / 8, () -> enter(() -> readToo(writer)));
            return;
        }
        client.submit(SimRequest.of(
                Kind.CREATE, new Change.CreateEphemeral(writer.replace("__WRIT__", "__READ__"), SimRequest.NO_DATA)));
        world.tally().foreignDowngrades++;
        world.scheduler().after(stay / 4, () -> enter(() -> delete(writer)));
    }

    private void delete(String path) {
        client.submit(SimRequest.of(Kind.DELETE, new Change.Delete(path)));
    }

    private void leave() {
        if (manner % 3 == 1) {
            dead = true;
        } else {
            client.close(true);
        }
    }
}
