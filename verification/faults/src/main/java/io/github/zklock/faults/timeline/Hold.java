package io.github.zklock.faults.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One grant and what became of it, as its holder saw it.
 *
 * @param number counts the grants of a process
 * @param spec what was granted
 * @param token 0 if the engine has none
 * @param node the path on which it stands, where there is no token to tell
 * @param grantedAt after the acquisition had returned
 * @param releasingAt before the release was asked for
 * @param lostAt when the holder was told
 * @param closedAt after the release had returned
 * @param seenAt when the holder was told that the servers had seen the release
 * @param unseenAt when it was told that nobody will know whether they did
 * @param interruptForgotten whether the thread was interrupted when it asked for the release, and not afterwards
 * @param closedAsLost whether the release said that the lock had been lost
 */
public record Hold(
        String source,
        long number,
        LockSpec spec,
        long token,
        String session,
        String node,
        long grantedAt,
        List<Sample> samples,
        OptionalLong releasingAt,
        OptionalLong lostAt,
        OptionalLong closedAt,
        OptionalLong seenAt,
        OptionalLong unseenAt,
        boolean interruptForgotten,
        boolean closedAsLost) {

    // the fencing token is the transaction that made the seat, then the turn
    private static final int TURN_BITS = 12;

    /** What the handle answered between two instants: whether it was held, and for how long it would be. */
    public record Sample(long before, long after, boolean held, long remaining) {

        long until() {
            return before + Math.max(1, remaining);
        }
    }

    /** A time over which a holder believed in its lock. */
    public record HeldInterval(Hold hold, long from, long until) {}

    public boolean toldBeforeRelease() {
        return lostAt.isPresent() && releasingAt.isPresent() && lostAt.getAsLong() < releasingAt.getAsLong();
    }

    public boolean isClosed() {
        return closedAt.isPresent();
    }

    public boolean toldOfItsRelease() {
        return seenAt.isPresent() || unseenAt.isPresent();
    }

    /** When it was over as far as its holder knew: by its own word, by that of the engine, or when it was heard of last. */
    public long endedAt() {
        long lastHeard =
                samples.isEmpty() ? grantedAt : samples.get(samples.size() - 1).until();
        return Math.min(releasingAt.orElse(lastHeard), lostAt.orElse(Long.MAX_VALUE));
    }

    public long seat() {
        return token >>> TURN_BITS;
    }

    /** The place of its seat among those of its lock that the same transaction has made, if that has made several. */
    int place() {
        return (int) (token & ((1 << TURN_BITS) - 1));
    }

    /*
     * A handle that answers "for R" after an instant b says that nobody else can have the lock before b + R. To count
     * from b and not from the answer forgives the time in between, in which the process may have been stopped: no false
     * alarm, and blind by microseconds otherwise. A later answer takes the place of an earlier one, also if it is less: a
     * server may have granted the session a shorter timeout (M27). The answer "not held" ends a belief once it was given.
     */
    public List<HeldInterval> heldIntervals() {
        long end = Math.min(releasingAt.orElse(Long.MAX_VALUE), lostAt.orElse(Long.MAX_VALUE));
        List<HeldInterval> heldIntervals = new ArrayList<>();
        long from = grantedAt;
        long until = grantedAt;
        boolean first = true;
        for (Sample sample : samples) {
            if (!sample.held()) {
                until = Math.min(until, sample.after());
            } else if (first || until >= sample.before()) {
                until = sample.until();
            } else {
                add(heldIntervals, from, until, end);
                from = sample.before();
                until = sample.until();
            }
            first = false;
        }
        add(heldIntervals, from, until, end);
        return heldIntervals;
    }

    private void add(List<HeldInterval> heldIntervals, long from, long until, long end) {
        long last = Math.min(until, end);
        if (last > from) {
            heldIntervals.add(new HeldInterval(this, from, last));
        }
    }

    @Override
    public String toString() {
        return source + "#" + number + " (" + spec + ", token " + token + ", session " + session + ")";
    }
}
