package io.github.zklock.faults.context;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.LockRequest;
import io.github.zklock.faults.timeline.Stalls;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the load of a process must not affect: a lock that the process holds, and a call that waits 300 ms for a lock of
 * another process, which is repeated all the time. The lock must stay held, and each call must be answered within 600
 * ms. Both limits grow by the longest stall of the machine, as those of the checkers do.
 */
public final class Bystander {

    /** The lock that the other process holds. */
    public static final String BUSY = "busy";

    /** How a call waits that counts as limited, whatever it waits for. */
    public static final String LIMITED = "acquire-300";

    private static final Duration ANSWERED = Duration.ofMillis(600);

    private static final String KEPT = "kept";
    private static final String HOLD = "once " + Duration.ofDays(1).toMillis() + " forever exclusive@";

    private final Timeline timeline;
    private final String loaded;

    Bystander(Timeline timeline, String loaded) {
        this.timeline = timeline;
        this.loaded = loaded;
    }

    /**
     * Begins before the load.
     *
     * @param loaded the process that will be loaded
     * @param other a process that is not
     */
    public static Bystander in(ScenarioContext context, ClientProcess loaded, ClientProcess other) {
        other.send(HOLD + BUSY);
        context.awaitGrantOf("@" + BUSY, other, 0);
        loaded.send(HOLD + KEPT);
        Event kept = context.awaitGrantOf("@" + KEPT, loaded, 0);
        loaded.send("loop 1 0 " + LIMITED + " exclusive@" + BUSY);
        context.await("an answer to a limited call", kept.at(), event -> event.is(Kind.TIMEOUT, loaded.name()));
        return new Bystander(context.timeline(), loaded.name());
    }

    /**
     * Returns what the load has affected so far, and adds the figures to the timeline.
     *
     * @param outage for how long the lock may be suspended because the servers cannot be reached
     */
    public List<String> harm(Duration outage) {
        long now = System.nanoTime();
        Stalls stalls = Stalls.on(timeline);
        Hold kept = timeline.holds().stream()
                .filter(hold ->
                        hold.source().equals(loaded) && hold.spec().lock().equals(KEPT))
                .findFirst()
                .orElseThrow();
        long stall = stalls.longest(kept.grantedAt(), now);
        long unproven = longestUnproven(kept.samples());
        long slowest = LockRequest.on(timeline).stream()
                .filter(request ->
                        request.source().equals(loaded) && request.how().equals(LIMITED))
                .mapToLong(request -> answeredAfter(request, now, stalls))
                .max()
                .orElseThrow();
        String keys = "slowest_limited_call held_lock unproven stall";
        String state = kept.lostAt().isPresent() ? "lost" : "kept";
        timeline.add(
                Event.of(loaded, now, Kind.MEASURED, keys, millis(slowest), state, millis(unproven), millis(stall)));

        List<String> harm = new ArrayList<>();
        if (kept.lostAt().isPresent()) {
            harm.add("another lock of the process was lost");
        }
        if (unproven > outage.toNanos() + stall) {
            harm.add("another lock of the process was suspended for " + millis(unproven));
        }
        if (slowest > ANSWERED.toNanos()) {
            harm.add("a call limited to 300 ms was answered after " + millis(slowest));
        }
        return harm;
    }

    /** Returns how long a call took without the stalls of the machine; an open call until now. */
    private static long answeredAfter(LockRequest request, long now, Stalls stalls) {
        long until = request.answer().map(Event::at).orElse(now);
        return until - request.at() - stalls.longest(request.at(), until);
    }

    private static long longestUnproven(List<Sample> samples) {
        long longest = 0;
        long since = Long.MAX_VALUE;
        for (Sample sample : samples) {
            if (sample.held()) {
                since = Long.MAX_VALUE;
            } else {
                since = Math.min(since, sample.before());
                longest = Math.max(longest, sample.after() - since);
            }
        }
        return longest;
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
