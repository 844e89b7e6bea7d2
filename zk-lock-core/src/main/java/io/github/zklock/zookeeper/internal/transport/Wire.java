package io.github.zklock.zookeeper.internal.transport;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connection of the engine to ZooKeeper: Curator's client in production, a simulated ensemble in tests. */
public interface Wire {

    /**
     * Finds the live session and answers once, on the loop. Does not block the caller.
     *
     * @param answer receives the session, or the reason why there is none at the moment
     */
    void pin(Consumer<Pin> answer);

    /** Runs the hint on the loop whenever the connection or the session may have changed. */
    void onHint(Runnable hint);

    /** Ends the calls of {@link #onHint}. The client stays open. */
    void leave();

    /** Ends the calls as {@link #leave} does. Closes the client and the session, as far as the registry opened them. */
    void close();

    /** The answer to {@link #pin}. */
    sealed interface Pin {
        /** A session that is established. */
        record Pinned(WireSession session) implements Pin {}

        /** There is no session at the moment; ask again later. */
        record NotYet(String reason) implements Pin {}

        /** The servers reject the client: further attempts are useless until it is reconfigured. */
        record Denied(String reason, @Nullable Throwable cause) implements Pin {}

        /** The client is closed and does not start again. */
        record Closed() implements Pin {}
    }
}
