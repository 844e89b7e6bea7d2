package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.List;

/**
 * A second client of a process, which creates one node and disconnects without closing its session, as
 * {@code AbandonedZooKeeper} does.
 */
final class SimProbe implements SimHost {

    private final SimProcess process;
    private final SimClient client;
    private boolean over;

    SimProbe(SimProcess process, SimWorld world, long timeout) {
        this.process = process;
        // apart, so that a probe changes nothing that its process draws later
        SimRandom random = new SimRandom(world.plan().seed() ^ world.now());
        this.client = new SimClient(this, world.ensemble(), world.scheduler(), random, world.delays(), false);
        client.request(timeout);
    }

    void create(String path, Reply<Long> answer) {
        SimRequest create = new SimRequest(Kind.CREATE, path, (outcome, done) -> {
            over = true;
            client.cut();
            answer.answered(outcome, client.timeout());
        });
        create.changes = List.of(new Change.CreateEphemeral(path, SimRequest.NO_DATA));
        // a client makes the base path before it uses a session
        client.submit(SimRequest.silent(Kind.MAKE_FOLDER, process.basePath()));
        client.submit(create);
        client.connect();
    }

    @Override
    public void enter(Runnable action) {
        process.enter(() -> {
            if (!over) {
                action.run();
            }
        });
    }

    @Override
    public void enterFirst(Runnable action) {
        enter(action);
    }

    @Override
    public long nanoTime() {
        return process.nanoTime();
    }

    @Override
    public long wallNanos() {
        return process.wallNanos();
    }

    @Override
    public boolean sharesClient() {
        return false;
    }

    @Override
    public boolean isIsolated() {
        return process.isIsolated();
    }

    @Override
    public void changed(SimClient changed) {
        // what becomes of the session is for the leader to decide
    }

    @Override
    public SimTrouble sending(SimClient by, SimRequest request) {
        return SimTrouble.NONE;
    }
}
