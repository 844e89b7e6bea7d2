package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The hold of one lock, or of several locks together, from the grant until {@link #close()}. Thread-safe and bound to no
 * thread: each thread that has the handle may query it and close it. A handle stays valid after its registry was closed,
 * unless the registry releases held locks ({@link OnClose#RELEASE_HELD}).
 *
 * <p>Several locks are held while each of them is held, and lost when one of them is lost. The name and the token of each
 * are those of its part: see {@link #parts()}.
 *
 * <p>Not guaranteed: that the lock is still held when the caller acts on the result of {@link #isHeld()}, because the
 * process may be paused in between. The guarded resource should check the {@link LockHandle#fencingToken()}.
 */
public interface Handle extends AutoCloseable {

    /**
     * Returns the handles of the single locks, in the order in which they were acquired. For a single lock, the list
     * contains only this handle.
     */
    List<LockHandle> parts();

    /** Returns the present state of this ownership. Of several locks, it is the worst state. Does no I/O. */
    LockState state();

    /**
     * Returns whether the lock can be proven to be held at this instant. Returns false as soon as the proof has run
     * out, even if it is not known yet whether the session has ended. Does no I/O and does not allocate.
     *
     * <p>Not guaranteed: that no operator has deleted the node of the lock. In that case the next waiter acquires the
     * lock at once, and this method returns true until the registry has checked the node, which it does in each
     * eighth of the session timeout while it is connected.
     */
    boolean isHeld();

    /**
     * Returns the time after which the lock can no longer be proven to be held, unless the proof is renewed; zero if it
     * cannot be proven now. Call this method again before you rely on the time. The time becomes shorter if a server
     * grants the session a shorter timeout than before, or if the machine turns out to have been suspended.
     */
    Duration remaining();

    /**
     * Checks that {@link #isHeld()} is true.
     *
     * @throws LockLostException if the lock is lost, if it cannot be proven to be held now, or if this handle is closed
     */
    void ensureHeld();

    /**
     * Registers an action that runs once if the lock is lost. It runs on the registry's loss executor, at once if the
     * lock is lost already. It does not run after {@link #close()}.
     */
    Registration onLost(Runnable action);

    /**
     * Limits the hold: if this handle is still open when this time from now is over, the registry takes the lock from
     * its holder. This is a loss, which is reported like any other loss, and the next waiter in the queue acquires the
     * lock. A later call replaces the limit that an earlier call has set on this handle. The lock is never held beyond
     * its maximum hold. Does nothing if the handle is closed or the lock is lost. Does not wait and does no I/O.
     *
     * <p>All handles of one ownership share it: if the limit of one open handle is reached, all of them are lost. On a
     * handle of several locks, the limit applies to each lock. If a thread holds both locks of a read/write pair, the
     * limit of one hold does not affect the other.
     *
     * <p>Not guaranteed: that the holder has stopped working when the limit is reached.
     *
     * @throws IllegalArgumentException if the limit is not positive
     */
    void loseAfter(Duration limit);

    /**
     * Releases the lock. Idempotent. Does not wait for the network. A lost connection is not reported by an exception;
     * the registry completes the release in the background.
     *
     * @throws LockLostException if the lock was lost before the first call of this method
     */
    @Override
    void close();

    /**
     * Returns a stage that completes when the release is confirmed: the lock's seat is known to be deleted, or other
     * threads of this process continue to use it. If the client is closed before that, the stage completes with {@link
     * LockUnavailableException}: the seat is deleted with its session, but this process receives no confirmation. The
     * caller cannot complete the stage.
     *
     * <p>If the lock lingers ({@link HandOff#linger()}), its seat stays after {@link #close()}. Then the stage
     * completes only when the linger ends: the linger time is over, another process acquires the lock or waits for it,
     * or a thread of this process acquires it again. Meanwhile the lock is free for every process.
     */
    CompletionStage<Void> released();
}
