package io.github.zklock;

/**
 * Where an ownership stands.
 *
 * <pre>
 * HELD &lt;-&gt; SUSPENDED              proof run out / proven again
 * HELD | SUSPENDED -&gt; RELEASED    closed
 * HELD | SUSPENDED -&gt; LOST        session over, node gone, maximum hold reached, or
 *                                 taken by its registry's close (OnClose.RELEASE_HELD)
 * </pre>
 *
 * {@link #RELEASED} and {@link #LOST} are final.
 */
public enum LockState {
    /** Proven to be held. */
    HELD,
    /** Perhaps held: the proof has run out, and neither a new one nor the loss is known yet. */
    SUSPENDED,
    /** Given back by its owner. */
    RELEASED,
    /** Taken from its owner. */
    LOST;

    /** Whether work under the lock may go on. */
    public boolean permitsWork() {
        return this == HELD;
    }

    /** Whether this state can never change again. */
    public boolean isFinal() {
        return this == RELEASED || this == LOST;
    }
}
