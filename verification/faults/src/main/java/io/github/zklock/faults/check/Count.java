package io.github.zklock.faults.check;

/** What is counted of a timeline. */
public enum Count {
    GRANTS("grants"),
    HAND_OVERS("hand-overs"),
    /** The most that had something at one moment; a permit counts as one, and so does a reader. */
    TOGETHER("together"),
    LOSSES("losses told"),
    UPDATES("writes with a token"),
    REFUSED("stale writes refused"),
    FAULTS("faults");

    private final String words;

    Count(String words) {
        this.words = words;
    }

    /** What it is for several timelines. */
    public int join(int one, int other) {
        return this == TOGETHER ? Math.max(one, other) : one + other;
    }

    @Override
    public String toString() {
        return words;
    }
}
