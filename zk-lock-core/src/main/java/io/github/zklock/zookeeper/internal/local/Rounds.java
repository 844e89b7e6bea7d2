package io.github.zklock.zookeeper.internal.local;

/**
 * Counts how often this process has given way to others with all seats that it had used until then. A seat compares the
 * round of its first use with the present one, so that the number of seats does not matter. Owned by the loop.
 */
final class Rounds {

    private int now;

    int now() {
        return now;
    }

    /** Ends the use of all seats that were used until now, after their present turns. */
    void next() {
        now++;
    }
}
