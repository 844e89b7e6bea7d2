package io.github.zklock.zookeeper.internal.transport;

/**
 * The number of transactions that may be under way at once. It adapts to the servers as TCP Vegas adapts to a network.
 * While a commit takes little longer than the fastest recent one, nothing waits at the servers, and the window grows.
 * If a commit takes twice as long, the window shrinks. Owned by the loop.
 */
final class CommitWindow {

    private static final int FIRST_SIZE = 4;
    private static final int LARGEST_SIZE = 64;
    /** A commit that takes longer than this multiple of the fastest recent one has waited. */
    private static final int WAITED = 2;

    private static final double SHRINKS_TO = 0.9;
    /** The fastest commit counts for one to two of these periods. */
    private static final long PERIOD_NANOS = 2_000_000_000L;

    private final int largest;
    private double size;
    private int underWay;
    private long periodBegan;
    private long fastest = Long.MAX_VALUE;
    private long fastestBefore = Long.MAX_VALUE;

    CommitWindow() {
        this(FIRST_SIZE, LARGEST_SIZE);
    }

    CommitWindow(int size, int largest) {
        this.size = size;
        this.largest = largest;
    }

    boolean hasRoom() {
        return underWay < (int) size;
    }

    void departed() {
        underWay++;
    }

    /** Records the end of a transaction whose duration at the servers is unknown. */
    void landed() {
        underWay--;
    }

    /** Records a transaction that the servers committed or rejected after this time. */
    void landed(long nanos, long now) {
        if (fastest == Long.MAX_VALUE) {
            periodBegan = now;
        } else if (now - periodBegan > PERIOD_NANOS) {
            periodBegan = now;
            fastestBefore = fastest;
            fastest = Long.MAX_VALUE;
        }
        fastest = Math.min(fastest, nanos);
        if (nanos <= WAITED * Math.min(fastest, fastestBefore)) {
            size = hasRoom() ? size : Math.min(largest, size + 1 / size);
        } else if (underWay > 1) {
            // the commit may have waited for the other transactions under way
            size = Math.max(1, size * SHRINKS_TO);
        }
        underWay--;
    }
}
