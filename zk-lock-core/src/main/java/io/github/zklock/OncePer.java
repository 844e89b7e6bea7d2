package io.github.zklock;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The window in which a {@link ClusterJob} runs at most once in the whole cluster. An immutable value.
 *
 * <p>A <em>sliding</em> window begins with the last run. An <em>aligned</em> window begins at a fixed time, for example
 * each full hour.
 *
 * <p>All times are those of the ZooKeeper servers, so the clocks of the processes need not agree. The clocks of the
 * servers have to: if the leadership among the servers changes, the windows follow the clock of the new leader.
 *
 * <p>The <em>tolerance</em> is for a timer whose period is the window, because such a timer fires a little earlier at one
 * time than at another: without a tolerance, the job would then be skipped for a whole window. A call that is early by at
 * most the tolerance begins a run, so runs in a sliding window begin at least the window minus the tolerance apart. The
 * default is a hundredth of the window, at most a minute.
 *
 * <p>A timer that is faster than the window gains nothing by the tolerance. If a process calls the job in the middle of a
 * window, which means later than the tolerance after the begin of the run, its further calls in that window are not
 * tolerated. With fast timers, runs therefore begin at least a window apart. Not guaranteed: a process whose first call
 * comes at the end of a window can be early by the tolerance.
 */
public final class OncePer {

    private static final Duration LONGEST_WINDOW = Duration.ofDays(3_660);
    private static final Duration LONGEST_DEFAULT_TOLERANCE = Duration.ofMinutes(1);
    private static final int TOLERATED_PART = 100;

    /** A Monday, so that windows of seven days are weeks. */
    private static final LocalDateTime FIRST_WINDOW = LocalDateTime.of(1970, 1, 5, 0, 0);

    private final Duration window;
    private final Duration tolerance;
    private final @Nullable ZoneId zone;
    private final Counting counting;

    private OncePer(Duration window, Duration tolerance, @Nullable ZoneId zone, Counting counting) {
        this.window = window;
        this.tolerance = tolerance;
        this.zone = zone;
        this.counting = counting;
    }

    /**
     * Returns a sliding window of this length, with the default tolerance. A run counts from its begin, whether it
     * succeeds or not.
     *
     * @throws IllegalArgumentException if the window is shorter than a millisecond or longer than ten years
     */
    public static OncePer of(Duration window) {
        if (window.compareTo(Duration.ofMillis(1)) < 0 || window.compareTo(LONGEST_WINDOW) > 0) {
            throw new IllegalArgumentException("The window " + Words.of(window) + " is not between 1 ms and "
                    + LONGEST_WINDOW.toDays() + " days; use a lock alone if each run counts on its own");
        }
        Duration part = window.dividedBy(TOLERATED_PART);
        return new OncePer(
                window,
                part.compareTo(LONGEST_DEFAULT_TOLERANCE) < 0 ? part : LONGEST_DEFAULT_TOLERANCE,
                null,
                Counting.BEGUN);
    }

    /**
     * Returns the same window, aligned: windows follow each other without a gap, from Monday, 5 January 1970, 0:00 of
     * this time zone. So windows of an hour begin at each full hour, windows of a day at midnight, and windows of seven
     * days on Mondays.
     */
    public OncePer alignedIn(ZoneId zone) {
        return new OncePer(window, tolerance, Objects.requireNonNull(zone, "zone"), counting);
    }

    /**
     * Returns the same window with another tolerance. With zero, runs in a sliding window begin at least a window apart,
     * also if each process calls the job once per window.
     *
     * @throws IllegalArgumentException if the tolerance is negative, or not shorter than the window
     */
    public OncePer tolerating(Duration tolerance) {
        if (tolerance.isNegative() || tolerance.compareTo(window) >= 0) {
            throw new IllegalArgumentException(
                    "The tolerance " + Words.of(tolerance) + " is not between zero and the window " + Words.of(window)
                            + "; use a part of the window, or zero for none");
        }
        return new OncePer(window, tolerance, zone, counting);
    }

    /** Returns the same window, for which other runs count. */
    public OncePer counting(Counting counted) {
        return new OncePer(window, tolerance, zone, Objects.requireNonNull(counted, "counted"));
    }

    public Duration window() {
        return window;
    }

    public Duration tolerance() {
        return tolerance;
    }

    /** Returns the time zone in which the windows are aligned; empty if the window slides. */
    public Optional<ZoneId> alignment() {
        return Optional.ofNullable(zone);
    }

    /** Returns which runs count. */
    public Counting counting() {
        return counting;
    }

    /**
     * Returns whether the window of a run is over. A call that is early uses its tolerance if the window is over at {@code
     * now} plus the tolerance. A run that lies in the future by more than a window does not count: the clock of a server
     * was wrong.
     *
     * <p>In an aligned window, a run that begins by at most the tolerance before a window belongs to that window.
     *
     * @param begun when the run began, by the servers' clock
     * @param now the time by the servers' clock
     */
    public boolean isOver(Instant begun, Instant now) {
        if (begun.isAfter(now.plus(window))) {
            return true;
        }
        return zone == null
                ? !now.isBefore(begun.plus(window))
                : begun.plus(tolerance).isBefore(beginOfWindow(now, zone));
    }

    /**
     * Returns when the aligned window of an instant began. If the clock is set back, and a window is not longer than the
     * time that the clock then repeats, each repetition has windows of its own. Otherwise the window lasts longer.
     */
    private Instant beginOfWindow(Instant instant, ZoneId aligned) {
        ZonedDateTime time = instant.truncatedTo(ChronoUnit.MILLIS).atZone(aligned);
        LocalDateTime local = time.toLocalDateTime();
        long past = Math.floorMod(FIRST_WINDOW.until(local, ChronoUnit.MILLIS), window.toMillis());
        LocalDateTime begin = local.minus(past, ChronoUnit.MILLIS);
        ZoneOffsetTransition change = aligned.getRules().getTransition(begin);
        if (change != null && change.isGap()) {
            return change.getInstant();
        }
        boolean begunTwice = change != null
                && change.isOverlap()
                && window.compareTo(change.getDuration().abs()) <= 0;
        return ZonedDateTime.ofLocal(begin, aligned, begunTwice ? time.getOffset() : null)
                .toInstant();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OncePer same
                && window.equals(same.window)
                && tolerance.equals(same.tolerance)
                && Objects.equals(zone, same.zone)
                && counting == same.counting;
    }

    @Override
    public int hashCode() {
        return Objects.hash(window, tolerance, zone, counting);
    }

    @Override
    public String toString() {
        return "once per " + Words.of(window) + (zone == null ? "" : " aligned in " + zone) + ", tolerance "
                + Words.of(tolerance) + (counting == Counting.SUCCEEDED ? ", counting success" : "");
    }

    /** The runs that count for a window. */
    public enum Counting {
        /** Each run counts, also one that fails or whose process ends. */
        BEGUN,
        /**
         * A run counts, from its begin, only if it succeeded. A run that failed, or whose process ended, is followed by the
         * next attempt.
         */
        SUCCEEDED
    }
}
