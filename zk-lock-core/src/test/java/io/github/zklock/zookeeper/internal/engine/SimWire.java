package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way of one simulated process to the simulated ensemble. */
final class SimWire implements Wire {

    private final SimProcess process;
    private final EngineRun run;
    private @Nullable Runnable hint;
    private @Nullable SimSession session;
    private boolean closed;
    private int hints;

    SimWire(SimProcess process, EngineRun run) {
        this.process = process;
        this.run = run;
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        process.later(() -> {
            Pin found = found();
            toEngine(() -> answer.accept(found));
        });
    }

    @Override
    public void onHint(Runnable newHint) {
        hint = newHint;
    }

    @Override
    public void leave() {
        closed = true;
        hint = null;
    }

    @Override
    public void close() {
        leave();
        if (process.ownsClient()) {
            process.closeClient();
        }
    }

    boolean isTellingFrontGone() {
        return session != null && session.isTellingFrontGone();
    }

    /** How many changes of the connection the client has reported. */
    int hints() {
        return hints;
    }

    void countChange() {
        hints++;
    }

    void hint() {
        countChange();
        if (hint != null) {
            toEngine(hint);
        }
    }

    private Pin found() {
        if (closed) {
            return new Pin.Closed();
        }
        SimClient client = process.client();
        if (client.liveness() != WireSession.Liveness.CONNECTED || client.isClosing()) {
            return new Pin.NotYet("not connected");
        }
        if (session == null || session.client() != client || session.id() != client.session()) {
            session = new SimSession(process, run, client, process.tally());
        }
        return new Pin.Pinned(process.errors().outside(WireSession.class, session));
    }

    private void toEngine(Runnable task) {
        run.execute(() -> process.errors().enter(process, task));
    }
}
