package io.github.zklock.zookeeper;

import java.time.Instant;

/**
 * What a seat says of its owner.
 *
 * @param waiter for whom the seat was asked
 */
record Label(OwnerDescription owner, String waiter, Instant since) {

    /** The data of a seat that asks for this. */
    byte[] on(Demand demand) {
        return owner.write(waiter, since, demand);
    }

    /** The data of an idle seat for this demand. */
    byte[] idleOn(Demand demand) {
        return owner.writeIdle(waiter, since, demand);
    }
}
