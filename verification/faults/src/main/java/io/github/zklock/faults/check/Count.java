package io.github.zklock.faults.check;

/** What is counted on a timeline. */
public enum Count {
    GRANTS("grants"),
    HAND_OVERS("hand-overs"),
    /** The largest number of simultaneous holders; each reader and each permit counts. */
    TOGETHER("together"),
    LOSSES("losses told"),
    UPDATES("writes with a token"),
    REFUSED("stale writes refused"),
    FAULTS("faults");

    private final String words;

    Count(String words) {
        this.words = words;
    }

    /** Combines the counts of two timelines. */
    public int combine(int one, int other) {
        return this == TOGETHER ? Math.max(one, other) : one + other;
    }

    @Override
    public String toString() {
        return words;
    }
}
