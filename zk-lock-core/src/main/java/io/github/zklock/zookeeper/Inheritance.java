package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.runtime.Isolated;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;

/**
 * How the head of a queue passes on among the seats of one turnstile, without the servers. Owned by the loop.
 */
final class Inheritance {

    /*
     * Whoever inherits knows nothing of the queue but that its number follows. An operator may have deleted the folder, and
     * the numbers begun anew: then it follows a number of another queue. That shows when what was left is not there to be
     * deleted, by when others may have inherited and left. From then on until somebody has read the queue, nobody inherits,
     * and whoever is at the head asks whether it is the first.
     */

    /** Those that are at the head, as far as this process knows. */
    private final Collection<Seat> heads;
    /** Those that are the head by now, as the ones in front of them were left. */
    private final Queue<Departure.Heir> heirs = new ArrayDeque<>(1);

    private boolean inDoubt;

    /** @param heads a view of what they are at any time */
    Inheritance(Collection<Seat> heads) {
        this.heads = heads;
    }

    /** The seat was left at the head, and this one stands right behind it: it is the head as soon as it is told. */
    void leftTo(Departure.Heir next) {
        // not within what made the other one leave: seats are being asked for and given back there
        heirs.add(next);
    }

    /** Tells those that have inherited. */
    void passOn() {
        for (Departure.Heir next = heirs.poll(); next != null; next = heirs.poll()) {
            Isolated.run(next::inherits);
        }
    }

    /** Whoever has inherited may not be the first. */
    void doubt() {
        inDoubt = true;
        Isolated.forEach(heads, Seat::confirm);
    }

    /** Whoever comes next has to look for himself. */
    boolean isInDoubt() {
        return inDoubt;
    }

    void reachedHead(Seat seat) {
        if (inDoubt) {
            seat.confirm();
        }
    }

    /** The queue was read, and one of the seats is the first. */
    void allay() {
        inDoubt = false;
    }
}
