package io.github.zklock.zookeeper.internal.queue;

import java.time.Instant;

/**
 * The description that a seat contains of its owner.
 *
 * @param waiter the name of the thread that requested the lock
 */
public record Label(OwnerDescription owner, String waiter, Instant since) {

    /** Returns the data of a seat with this demand. */
    public byte[] on(Demand demand) {
        return owner.write(waiter, since, demand);
    }

    /** Returns the data of an idle seat with this demand. */
    public byte[] idleOn(Demand demand) {
        return owner.writeIdle(waiter, since, demand);
    }
}
