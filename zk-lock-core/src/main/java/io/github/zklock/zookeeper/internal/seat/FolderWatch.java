package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The watch of the whole folder of one lock, which reports each seat that is created or deleted. Owned by the loop.
 *
 * <pre>
 * OFF       -&gt; REQUESTED   the watch is needed
 * REQUESTED -&gt; SET         the servers have set it on the present connection
 * SET       -&gt; LIVE        a listing was answered that was sent after that
 * on        -&gt; REQUESTED   events may have been missed, as after a lost connection: the watch is set again
 * on        -&gt; OFF         the watch was not needed between two ticks
 * on        -&gt; UNUSABLE    not available, too many events of other nodes, or an event was lost; for good
 *
 * on: REQUESTED, SET or LIVE
 * </pre>
 */
final class FolderWatch {

    private static final Logger LOG = EngineLog.of(FolderWatch.class);

    /**
     * The number of events of other nodes that are tolerated for each event of a seat. {@link
     * #STRANGE_EVENTS_AT_FIRST} more are tolerated.
     */
    private static final int STRANGE_EVENTS = 4;

    private static final int STRANGE_EVENTS_AT_FIRST = 64;

    private enum State {
        OFF,
        REQUESTED,
        SET,
        LIVE,
        UNUSABLE
    }

    private final QueueWatch.FolderEvents owner;
    private final PinnedSession session;
    private final String folder;
    private final Listings listings;
    private final TreeWatch watch = this::happened;

    private State state = State.OFF;
    private @Nullable Question<Void> question;
    /** The listing that makes the view live. */
    private int listing;

    private boolean needed;
    /** Whether the watch was not needed at any time since the last tick. */
    private boolean unneeded;

    private long events;
    private long strangeEvents;

    FolderWatch(QueueWatch.FolderEvents owner, PinnedSession session, String folder, Listings listings) {
        this.owner = owner;
        this.session = session;
        this.folder = folder;
        this.listings = listings;
    }

    /** Returns whether the watch was requested, whether it is set or not. */
    boolean isOn() {
        return state == State.REQUESTED || state == State.SET || state == State.LIVE;
    }

    /** Returns whether the folder was listed after the watch was set. */
    boolean isLive() {
        return state == State.LIVE;
    }

    /** Returns whether the watch is not available or too expensive. */
    boolean isUnusable() {
        return state == State.UNUSABLE;
    }

    /** Requests the watch if it is needed. */
    void need(boolean isNeeded) {
        needed = isNeeded;
        unneeded &= !isNeeded;
        if (isNeeded && state == State.OFF) {
            arm();
        }
    }

    /** Ends the watch if it was not needed since the last tick. */
    void tick() {
        if (unneeded) {
            end();
        }
        unneeded = !needed;
    }

    /** Requests the watch, again on a new connection, and a listing behind it. */
    void arm() {
        state = State.REQUESTED;
        dropQuestion();
        question =
                session.<Void>ask(reply -> session.watchTree(folder, watch, reply), (outcome, none) -> armed(outcome));
        listing = listings.request();
    }

    private void armed(Outcome outcome) {
        if (state != State.REQUESTED) {
            return;
        }
        if (outcome == Outcome.OK) {
            state = State.SET;
            if (listings.answered() >= listing) {
                // the listing was answered before the watch was set, and may have been sent before
                listing = listings.request();
            }
        } else {
            LOG.debug("Folder {} cannot be watched as a whole ({})", folder, outcome);
            giveUp();
            owner.refused();
        }
    }

    /** Records that this listing was answered. */
    void listed(int number) {
        if (state == State.SET && number >= listing) {
            state = State.LIVE;
        }
    }

    /** Ends the watch for good. */
    void giveUp() {
        end();
        state = State.UNUSABLE;
    }

    void end() {
        if (isOn()) {
            dropQuestion();
            session.unwatchTree(folder, watch);
            state = State.OFF;
        }
    }

    private void dropQuestion() {
        if (question != null) {
            question.drop();
        }
    }

    private void happened(TreeEvent event, String path) {
        if (!isOn()) {
            return;
        }
        if (event == TreeEvent.MISSED) {
            owner.missed();
            arm();
        } else if (path.equals(folder)) {
            if (event == TreeEvent.DELETED) {
                listings.request();
            }
        } else if (path.lastIndexOf('/') == folder.length()) {
            SeatName.parse(path.substring(folder.length() + 1))
                    .ifPresentOrElse(seat -> seatEvent(event, seat), this::strangeEvent);
        } else {
            strangeEvent();
        }
    }

    private void seatEvent(TreeEvent event, SeatName seat) {
        events++;
        if (event == TreeEvent.DELETED) {
            owner.deleted(seat);
        } else if (state == State.LIVE) {
            // before the listing that follows the watch, the view may lack earlier seats
            owner.created(seat);
        }
    }

    /** Counts an event of something that is no seat. If there are too many of them, ends the watch. */
    private void strangeEvent() {
        strangeEvents++;
        if (strangeEvents > STRANGE_EVENTS_AT_FIRST + STRANGE_EVENTS * events) {
            giveUp();
            owner.flooded();
        }
    }
}
