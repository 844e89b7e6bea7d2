package io.github.zklock.zookeeper;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way of one simulated process to the simulated ensemble. */
final class SimWire implements Wire {

    private final SimProcess process;
    private @Nullable Runnable hint;
    private @Nullable SimSession session;
    private boolean closed;
    private int hints;

    SimWire(SimProcess process) {
        this.process = process;
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        process.later(() -> answer.accept(found()));
    }

    @Override
    public void onHint(Runnable newHint) {
        hint = newHint;
    }

    @Override
    public void close() {
        closed = true;
        hint = null;
        if (process.ownsClient()) {
            process.closeClient();
        }
    }

    boolean isTellingFrontGone() {
        return session != null && session.isTellingFrontGone();
    }

    /** How many hints have come. */
    int hints() {
        return hints;
    }

    void hint() {
        hints++;
        if (hint != null) {
            hint.run();
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
            session = new SimSession(process, client, process.tally());
        }
        return new Pin.Pinned(session);
    }
}
