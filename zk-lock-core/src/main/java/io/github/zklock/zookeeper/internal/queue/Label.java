package io.github.zklock.zookeeper.internal.queue;

import java.time.Instant;

/**
 * What a seat says of its owner.
 *
 * @param waiter for whom the seat was asked
 */
public record Label(OwnerDescription owner, String waiter, Instant since) {

    /** The data of a seat that asks for this. */
    public byte[] on(Demand demand) {
        return owner.write(waiter, since, demand);
    }

    /** The data of an idle seat for this demand. */
    public byte[] idleOn(Demand demand) {
        return owner.writeIdle(waiter, since, demand);
    }
}
