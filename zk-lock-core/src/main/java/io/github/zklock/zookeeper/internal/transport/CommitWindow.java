package io.github.zklock.zookeeper.internal.transport;

/**
 * The number of transactions that may be under way at once. It adapts to the servers as TCP Vegas adapts to a network: while
 * a commit takes little longer than the fastest one of late, nothing waits at the servers, and the window grows; where it
 * takes twice as long, the window shrinks. Owned by the loop.
 */
final class CommitWindow {

    private static final int FIRST_SIZE = 4;
    private static final int LARGEST_SIZE = 64;
    /** A commit that takes more than so many times the fastest one of late has waited. */
    private static final int WAITED = 2;

    private static final double SHRINKS_TO = 0.9;
    /** The fastest commit counts for one to two of these. */
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

    /** Nothing is known of how long the servers took for it. */
    void landed() {
        underWay--;
    }

    /** The servers committed or rejected it after so long. */
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
            // it may have waited for those beside it
            size = Math.max(1, size * SHRINKS_TO);
        }
        underWay--;
    }
}
