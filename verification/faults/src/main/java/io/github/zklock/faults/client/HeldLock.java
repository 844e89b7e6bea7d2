package io.github.zklock.faults.client;

/** What somebody who has a lock can ask of it. */
public interface HeldLock {

    boolean isHeld();

    /** For how long it will at least be held, as far as it says. */
    long remainingNanos();

    /** The word that it has for how things stand. */
    String state();

    /** A number that rises from grant to grant; 0 if there is none. */
    long token();

    /** The path of the node on the servers on which it stands; empty if the token tells. */
    String node();

    /** Who is told when the lock is lost. */
    void onLost(Runnable listener);

    /** Who is told what became of the release, by engines that tell: the servers have seen it, or nobody will know. */
    void onReleased(Runnable seen, Runnable unseen);
}
