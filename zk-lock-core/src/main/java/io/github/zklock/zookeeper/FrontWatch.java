package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.WireSession.Event;
import io.github.zklock.zookeeper.WireSession.Node;
import io.github.zklock.zookeeper.WireSession.Watch;
import org.jspecify.annotations.Nullable;

/** Watches the one seat in front until it is gone, or until somebody ends the watch. Owned by the loop. */
final class FrontWatch implements Watch {

    /*
     * The watch is set by reading the node: an exists watch on a node that is gone would stay on the server for ever
     * (L23). Only its deletion counts; after any other event the watch is set again (M25).
     */

    /** The seat behind. */
    interface Host {
        void frontGone(FrontWatch watch);

        void frontUnreadable(FrontWatch watch, Outcome why);
    }

    private final Host host;
    private final Tenure tenure;
    private final String path;
    private final boolean wasHead;
    private final Guard guard;
    private boolean ended;

    /** @param wasHead whether the one in front stood at the head of the queue */
    FrontWatch(Host host, Tenure tenure, String path, boolean wasHead, Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.path = path;
        this.wasHead = wasHead;
        this.guard = guard;
    }

    String path() {
        return path;
    }

    boolean frontWasHead() {
        return wasHead;
    }

    /** Also after a reconnect, when the one in front may have gone unseen. */
    void arm() {
        tenure.readWatching(path, this, guard.of(this::armed));
    }

    void end() {
        if (!ended) {
            ended = true;
            tenure.unwatch(path, this);
        }
    }

    @Override
    public void happened(Event event) {
        if (!ended) {
            guard.run(event == Event.NODE_DELETED ? this::gone : this::arm);
        }
    }

    private void armed(Outcome outcome, @Nullable Node node) {
        if (ended) {
            return;
        }
        if (outcome == Outcome.NO_NODE) {
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
