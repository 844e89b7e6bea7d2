package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import org.jspecify.annotations.Nullable;

/** Watches one seat in front until it is gone, or until somebody ends the watch. Owned by the loop. */
final class FrontWatch implements Front, Watch {

    /*
     * The watch is set by reading the node: an exists watch on a node that is gone would stay on the server for ever
     * (L23). Only its deletion counts, and under some conditions that its owner wrote it; after any other event the
     * watch is set again (M25).
     */

    /** The seat behind. */
    interface Host {
        void frontGone(FrontWatch watch);

        void frontUnreadable(FrontWatch watch, Outcome why);
    }

    /** What ends the wait. */
    enum Until {
        /** Its deletion, by which the seat behind becomes the head. */
        HEAD_GONE,
        /** Its deletion, after which the seat behind looks again. */
        GONE,
        /** Its deletion, or that it was written, after which the seat behind looks again. */
        GONE_OR_WRITTEN
    }

    private final Host host;
    private final PinnedSession tenure;
    private final String path;
    private final Until until;
    private final Guard guard;
    private boolean ended;

    FrontWatch(Host host, PinnedSession tenure, String path, Until until, Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.path = path;
        this.until = until;
        this.guard = guard;
    }

    @Override
    public String path() {
        return path;
    }

    /** Whether the seat behind is the head once this one is gone: it was the first when the wait began. */
    boolean wasHead() {
        return until == Until.HEAD_GONE;
    }

    @Override
    public boolean mayHaveMissedSomething() {
        return until == Until.GONE_OR_WRITTEN;
    }

    @Override
    public void arm() {
        tenure.readWatching(path, this, guard.of(this::armed));
    }

    @Override
    public boolean isOver() {
        return ended;
    }

    @Override
    public void end() {
        if (!ended) {
            ended = true;
            tenure.unwatch(path, this);
        }
    }

    @Override
    public void happened(Event event) {
        if (!ended) {
            boolean over =
                    event == Event.NODE_DELETED || (event == Event.DATA_CHANGED && until == Until.GONE_OR_WRITTEN);
            guard.run(over ? this::gone : this::arm);
        }
    }

    private void armed(Outcome outcome, @Nullable Node node) {
        if (ended) {
            return;
        }
        if (outcome == Outcome.NO_NODE) {
            gone();
        } else if (outcome == Outcome.UNKNOWN && until == Until.GONE_OR_WRITTEN) {
            // it may have been written before the watch is set
            gone();
        } else if (outcome == Outcome.UNKNOWN) {
            arm();
        } else if (outcome == Outcome.ACCESS_DENIED || outcome == Outcome.REFUSED) {
            host.frontUnreadable(this, outcome);
        }
    }

    private void gone() {
        ended = true;
        host.frontGone(this);
    }
}
