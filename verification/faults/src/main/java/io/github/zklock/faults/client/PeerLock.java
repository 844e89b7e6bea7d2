package io.github.zklock.faults.client;

import java.time.Duration;

/** A lock of another library, as that library offers it to a thread. */
interface PeerLock {

    void lock() throws Exception;

    boolean tryLock(Duration maxWait) throws Exception;

    void unlock() throws Exception;

    /** Returns whether the calling thread holds it, as far as the library states. */
    boolean isHeld();

    /** Returns the path of the seat of the calling thread. */
    String node();
}
