package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;

/** What a turnstile needs of the engine around it. */
interface EngineContext {

    Settings settings();

    Time time();

    SessionKeeper keeper();

    Announcer announcer();

    /**
     * A seat that has not entered yet.
     *
     * @param handOff says whether the seat may linger
     */
    Seat newSeat(Seat.Host host, PinnedSession tenure, String folder, Claim seeker, HandOff handOff);

    /** Hands the turn to the claim. */
    void grant(Turn turn, Claim claim);

    void refuse(Claim claim, Refusal refusal);

    /** The turn was taken from its holder. */
    void lost(Turn turn, String reason);

    /** The asker went away after it had been given this turn. */
    void giveBack(Turn turn);

    /** Has {@link Turnstile#proceed} called when more is proven. */
    void wantProof(Turnstile turnstile);

    /** Nobody uses the turnstile any more. */
    void retire(Turnstile turnstile);
}
