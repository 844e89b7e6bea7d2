package io.github.zklock;

/**
 * A number that identifies a grant. Of two exclusive grants of one lock, the later one has the higher token, across all
 * processes, sessions and restarts. A resource that rejects each token lower than the highest one that it has received
 * is safe from late writers.
 *
 * <p>Layout, from the highest bit: 1 bit zero, 19 bits epoch and 32 bits counter of the ZooKeeper transaction that
 * created the seat, 12 bits number of the turn within that seat. Tokens of different locks may be equal.
 *
 * <p>Not guaranteed: an order across a wiped or restored ensemble, whose transaction numbers begin again.
 *
 * @param value a positive number
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("Fencing token " + value + " is not positive");
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    /** Returns the bare number, for SQL parameters, headers and logs. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
