package io.github.zklock.faults.client;

import java.time.Duration;

/** A lock of a peer, as its own type offers it to a thread. */
interface PeerLock {

    void lock() throws Exception;

    boolean tryLock(Duration maxWait) throws Exception;

    void unlock() throws Exception;

    /** Whether the calling thread has it, as far as the peer says. */
    boolean isHeld();

    /** The path of the node on which it stands for the calling thread. */
    String node();
}
