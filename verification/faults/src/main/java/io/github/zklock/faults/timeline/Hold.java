package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One grant, and the events of its holder.
 *
 * @param number counts the grants of a process
 * @param spec what was granted
 * @param token 0 if the engine has no tokens
 * @param node the path of the seat, where no token identifies it
 * @param grantedAt after the call had returned
 * @param releasingAt before the release was called
 * @param lostAt when the loss was reported
 * @param closedAt after the release had returned
 * @param seenAt when the holder was notified that the servers had seen the release
 * @param unseenAt when the holder was notified that the outcome of the release is unknown
 * @param interruptForgotten whether the thread was interrupted before the release, and not afterwards
 * @param closedAsLost whether the release reported a loss
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

    // a fencing token consists of the transaction that created the seat, and the turn
    private static final int TURN_BITS = 12;

    /** The answers of a handle between two instants: whether it was held, and for how long it would be. */
    public record Sample(long before, long after, boolean held, long remaining) {

        long until() {
            return before + Math.max(1, remaining);
        }
    }

    /** An interval in which the handle reported the lock as held. */
    public record HeldInterval(Hold hold, long from, long until) {

        /** Returns the end of the time in which both hold the lock. */
        public long endOfBoth(HeldInterval other) {
            return Math.min(until, other.until);
        }
    }

    /** @param events the events of the hold, in order of time; of several events of one kind, the last counts */
    static Hold of(Event grant, List<Event> events) {
        List<Sample> samples = new ArrayList<>();
        Map<Kind, Event> last = new EnumMap<>(Kind.class);
        for (Event event : events) {
            last.put(event.kind(), event);
            if (event.is(Kind.SAMPLE)) {
                samples.add(
                        new Sample(event.at(), event.number("after"), event.flag("held"), event.number("remaining")));
            }
        }
        Optional<Event> releasing = Optional.ofNullable(last.get(Kind.RELEASING));
        Optional<Event> closed = Optional.ofNullable(last.get(Kind.CLOSED));
        return new Hold(
                grant.source(),
                grant.number("hold"),
                LockSpec.parse(grant.text("spec")),
                grant.number("token"),
                grant.text("session"),
                grant.fields().getOrDefault("node", ""),
                grant.at(),
                samples,
                instant(last.get(Kind.RELEASING)),
                instant(last.get(Kind.LOST)),
                instant(last.get(Kind.CLOSED)),
                instant(last.get(Kind.RELEASE_SEEN)),
                instant(last.get(Kind.RELEASE_UNKNOWN)),
                releasing.filter(event -> event.flag("interrupted")).isPresent()
                        && closed.filter(event -> !event.flag("interrupted")).isPresent(),
                closed.filter(event -> reportsLoss(event, last.containsKey(Kind.LOST)))
                        .isPresent());
    }

    /** A transaction that is rolled back because its lock is not proven at its commit is no report of a loss. */
    private static boolean reportsLoss(Event closed, boolean reportedBefore) {
        boolean unproven = closed.fields().getOrDefault("message", "").contains("cannot_be_proven_to_be_held");
        return closed.text("result").equals("lost") && (reportedBefore || !unproven);
    }

    private static OptionalLong instant(@Nullable Event event) {
        return event == null ? OptionalLong.empty() : OptionalLong.of(event.at());
    }

    public boolean isLossReportedBeforeRelease() {
        return lostAt.isPresent() && releasingAt.isPresent() && lostAt.getAsLong() < releasingAt.getAsLong();
    }

    public boolean isClosed() {
        return closedAt.isPresent();
    }

    public boolean isReleaseReported() {
        return seenAt.isPresent() || unseenAt.isPresent();
    }

    /**
     * Returns the end of the hold as far as its holder knew: its release, the report of its loss, or the end of its
     * last answer.
     */
    public long endedAt() {
        long lastAnswerEnd =
                samples.isEmpty() ? grantedAt : samples.get(samples.size() - 1).until();
        return Math.min(releasingAt.orElse(lastAnswerEnd), lostAt.orElse(Long.MAX_VALUE));
    }

    /** Returns whether the engine names the seat: some libraries do not for their leaders and jobs. */
    public boolean namesSeat() {
        return token != 0 || !node.isEmpty();
    }

    public long seat() {
        return token >>> TURN_BITS;
    }

    /** Returns the index of the seat among those of its lock that the same transaction created. */
    int place() {
        return (int) (token & ((1 << TURN_BITS) - 1));
    }

    /*
     * A handle that answers "held for R" after an instant b states that no other client can hold the lock before b + R.
     * The interval counts from b, not from the answer, because the process may have been paused in between: this avoids
     * false alarms, and misses overlaps of microseconds only. A later answer replaces an earlier one even if it is
     * shorter: a server may have granted the session a shorter timeout (M27). The answer "not held" ends the interval
     * when it was given.
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
