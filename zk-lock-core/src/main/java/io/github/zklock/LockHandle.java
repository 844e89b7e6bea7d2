package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Proof of ownership of a lock, from its grant until {@link #close()}. Thread-safe and bound to no thread: whoever has
 * it may ask it and close it. It outlives the close of its registry, unless that releases held locks ({@link
 * OnClose#RELEASE_HELD}).
 *
 * <p>Not guaranteed: that the lock is still held by the time the caller acts on {@link #isHeld()}; a pause may lie in
 * between. What is guarded should check the {@link #fencingToken()}.
 */
public interface LockHandle extends AutoCloseable {

    /**
     * The canonical name of the lock.
     *
     * @throws UnsupportedOperationException if this is a handle of several locks; ask its {@link #parts()}
     */
    LockName name();

    /**
     * The number of this grant: higher than that of every earlier exclusive or write grant of the same lock, equal on
     * re-entry. That of a read grant or of permits is for tracing only, unless the read grant came of a write hold, whose
     * number it then keeps.
     *
     * @throws UnsupportedOperationException if this is a handle of several locks; ask its {@link #parts()}
     */
    FencingToken fencingToken();

    /** The handles of the single locks, in the order in which they were taken: of one lock, just this one. */
    default List<LockHandle> parts() {
        return List.of(this);
    }

    /** Where this ownership stands now. Does no I/O. */
    LockState state();

    /**
     * Whether the lock can be proven to be held at this instant. False as soon as the proof has run out, also before
     * anybody knows whether the session is over. Does no I/O and does not allocate.
     */
    boolean isHeld();

    /**
     * The time until the lock can no longer be proven to be held, unless the proof is renewed; zero if it cannot now. Ask again
     * before you rely on it: the time becomes shorter if a server grants the session a shorter timeout than before, or if the
     * machine turns out to have been suspended.
     */
    Duration remaining();

    /**
     * Returns if {@link #isHeld()}.
     *
     * @throws LockLostException if the lock is lost, cannot be proven to be held now, or this handle is closed
     */
    void ensureHeld();

    /**
     * Runs the action once if the lock is lost, on the registry's loss executor; at once if it is lost already. Never
     * after {@link #close()}.
     */
    Registration onLost(Runnable action);

    /**
     * Takes the lock from its holder if this handle is still open when this time, counted from now, is over. That is a
     * loss, told like every other one, and the lock goes to the next in the queue. A later call replaces the limit that
     * an earlier one has set on this handle, so that it can be moved, but never beyond the maximum hold of the lock.
     * Does nothing once the handle is closed or the lock is lost. Never waits and does no I/O.
     *
     * <p>All handles of one ownership share it: the limit of one of them, if that is still open, ends it for all. If this
     * is a handle of several locks, each of them is limited. What a writer also holds to read is held, and limited, on
     * its own.
     *
     * <p>Not guaranteed: that the holder has stopped working by then.
     *
     * @throws IllegalArgumentException if the limit is not positive
     */
    void loseAfter(Duration limit);

    /**
     * Gives the lock back. Idempotent; never waits for the network, and a lost connection never makes it throw: the
     * release is then made up for in the background.
     *
     * @throws LockLostException if the lock was lost before this first call
     */
    @Override
    void close();

    /**
     * Completes when the cluster has seen the release: the lock's node is known to be gone, or others of this process
     * go on using it. Completes with {@link LockUnavailableException} if the client is closed before that: the node
     * goes with its session, and nobody sees it go. Cannot be completed by the caller.
     *
     * <p>If the lock lingers ({@link HandOff#linger()}), its node stays after {@link #close()}. Then the stage completes only
     * when the linger ends: the linger time is over, another process acquires or awaits the lock, or a thread of this
     * process acquires it again. The lock is free for every process meanwhile.
     */
    CompletionStage<Void> released();
}
