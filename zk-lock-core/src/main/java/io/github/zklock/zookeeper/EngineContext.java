package io.github.zklock.zookeeper;

import org.jspecify.annotations.Nullable;

/** What a turnstile needs of the engine around it. */
interface EngineContext {

    Settings settings();

    Time time();

    SessionKeeper keeper();

    Seat newSeat(Seat.Host host, Tenure tenure, String folder, Claim seeker);

    /** The claim has to wait. */
    void queued(Claim claim, @Nullable Turn behind);

    void granted(Turn turn, Claim claim);

    void refuse(Claim claim, Refusal refusal);

    /** The turn was taken from its holder. */
    void lost(Turn turn, String reason);

    /** The cluster has seen the release of this turn, or the seat is used on. */
    void released(Turn turn);

    /** The asker went away after it had been given this turn. */
    void giveBack(Turn turn);

    /** Has {@link Turnstile#proceed} called when more is proven. */
    void wantProof(Turnstile turnstile);

    /** Nobody uses the turnstile any more. */
    void retire(Turnstile turnstile);
}
