package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Finds out from time to time whether others in the cluster wait for what this process hands on among its own threads:
 * by a listing of the lock's folder each time that so many turns were given, or so much time has passed. Owned by the
 * loop.
 */
final class Lookout {

    private static final Logger LOG = EngineLog.of(Lookout.class);

    private final EngineContext context;
    private final String folder;
    private final HandOff handOff;
    private final Consumer<Line> seen;

    private int turns;
    private long lastLookAt;
    private boolean looking;
    private Time.@Nullable Alarm next;

    /** @param seen is told what each look has shown */
    Lookout(EngineContext context, String folder, HandOff handOff, Consumer<Line> seen) {
        this.context = context;
        this.folder = folder;
        this.handOff = handOff;
        this.seen = seen;
    }

    /** There is something to hand on, from now on. */
    void begin() {
        turns = 0;
        lastLookAt = context.time().nanoTime();
    }

    /** There is nothing to hand on any more. */
    void end() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    void turnGiven() {
        turns++;
    }

    /** Looks if the bounds are reached. */
    void lookIfDue() {
        if (handOff.policy() != Policy.STRICT && (turns >= handOff.maxTurns() || untilDue() <= 0)) {
            look();
        }
    }

    /** Somebody of this process waits: looks when the bounds are reached. */
    void lookWhenDue() {
        lookIfDue();
        if (handOff.policy() != Policy.STRICT && !looking && next == null) {
            next = context.time().after(Math.max(0, untilDue()), () -> {
                next = null;
                lookIfDue();
            });
        }
    }

    /** Looks now, unless a look is under way. */
    void look() {
        PinnedSession tenure = context.keeper().connected().orElse(null);
        if (looking || tenure == null) {
            return;
        }
        try {
            tenure.list(folder, this::looked);
            looking = true;
        } catch (RuntimeException error) {
            // those who have or are to have a turn must not suffer from it: the next one looks again (L19)
            LOG.warn("Folder {} could not be read this time", folder, error);
        }
    }

    /** Answers that were on their way will not come. */
    void connectionRestored() {
        looking = false;
    }

    private void looked(Outcome outcome, @Nullable List<String> children) {
        looking = false;
        if (outcome == Outcome.OK && children != null) {
            begin();
            seen.accept(Line.of(children));
        }
    }

    private long untilDue() {
        return lastLookAt + Nanos.of(handOff.maxTime()) - context.time().nanoTime();
    }
}
