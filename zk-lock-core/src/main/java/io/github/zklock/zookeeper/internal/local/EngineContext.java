package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;
import io.github.zklock.zookeeper.internal.session.Settings;

/** What a queue needs of the engine around it. */
public interface EngineContext {

    Settings settings();

    Time time();

    SessionKeeper keeper();

    Announcer announcer();

    /**
     * A seat that has not entered yet.
     *
     * @param handOff says whether the seat may linger
     */
    Seat newSeat(Seat.Owner owner, PinnedSession session, String folder, Claim seeker, HandOff handOff);

    /** Hands the turn to the claim. */
    void grant(Turn turn, Claim claim);

    void refuse(Claim claim, Refusal refusal);

    /** The turn was taken from its holder. */
    void lost(Turn turn, String reason);

    /** The asker went away after it had been given this turn. */
    void giveBack(Turn turn);

    /** Has {@link LocalQueue#proceed} called when more is proven. */
    void wantProof(LocalQueue queue);

    /** Nobody uses the queue any more. */
    void retire(LocalQueue queue);
}
