package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;
import io.github.zklock.zookeeper.internal.session.Settings;

/** The parts of the engine that a queue uses. */
public interface EngineContext {

    Settings settings();

    Time time();

    SessionKeeper keeper();

    Announcer announcer();

    /**
     * Returns a new seat that is not in the queue yet.
     *
     * @param handOff determines whether the seat may linger
     */
    Seat newSeat(Seat.Owner owner, PinnedSession session, String folder, Claim seeker, HandOff handOff);

    /** Delivers the turn to the claim. */
    void grant(Turn turn, Claim claim);

    void refuse(Claim claim, Refusal refusal);

    /** Makes the turn LOST, and reports that. Its seat does not have it any more. */
    void lost(Turn turn, String reason);

    /** Releases a turn whose caller cancelled its request after the grant. */
    void giveBack(Turn turn);

    /** Runs the task behind the requests of callers that wait on the loop. */
    void inTurn(Runnable task);

    /** Requests a call of {@link LocalQueue#proceed} when the proof is extended. */
    void wantProof(LocalQueue queue);

    /** Removes the queue, which is not used any more. */
    void retire(LocalQueue queue);
}
