package io.github.zklock.zookeeper.internal.transport;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way to ZooKeeper. Production binds it to Curator's client, tests to a simulated ensemble. */
public interface Wire {

    /**
     * Finds the session that is live now and answers on the loop, once. Never blocks the caller.
     *
     * @param answer is given the session, or why there is none at the moment
     */
    void pin(Consumer<Pin> answer);

    /** Calls back on the loop whenever the connection or the session may have changed. */
    void onHint(Runnable hint);

    /** Ends what {@link #onHint} began, and leaves the client as it is. */
    void leave();

    /** As {@link #leave}. A client that the engine owns is closed, and its session with it. */
    void close();

    /** The answer to {@link #pin}. */
    sealed interface Pin {
        /** A session that is established. */
        record Pinned(WireSession session) implements Pin {}

        /** No session at the moment; ask again later. */
        record NotYet(String reason) implements Pin {}

        /** The client is refused: asking again is of no use until it is reconfigured. */
        record Denied(String reason, @Nullable Throwable cause) implements Pin {}

        /** The client is closed for good. */
        record Closed() implements Pin {}
    }
}
