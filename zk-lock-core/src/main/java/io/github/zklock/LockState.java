package io.github.zklock;

/**
 * The state of an ownership.
 *
 * <pre>
 * HELD &lt;-&gt; SUSPENDED              proof has run out / proven again
 * HELD | SUSPENDED -&gt; RELEASED    closed
 * HELD | SUSPENDED -&gt; LOST        session ended, node deleted, maximum hold or limit reached, or
 *                                  taken by the close of the registry (OnClose.RELEASE_HELD)
 * </pre>
 *
 * <p>{@link #RELEASED} and {@link #LOST} are final.
 */
public enum LockState {
    /** The lock is proven to be held. */
    HELD,
    /** The proof has run out. It is not known yet whether the lock is still held or lost. */
    SUSPENDED,
    /** The owner has released the lock. */
    RELEASED,
    /** The owner has lost the lock. */
    LOST;

    /** Returns whether this state cannot change any more. */
    public boolean isFinal() {
        return this == RELEASED || this == LOST;
    }
}
