package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.util.function.Predicate;

/**
 * The comparison of a live view with listings by their cost. A live view costs two events for each seat that is created
 * and deleted. Without it, a seat that comes to the head costs a watch of the seat in front and a listing, unless the
 * seat in front belongs to this process. Owned by the loop.
 */
final class ViewCosts {

    /** The number of seats below which a process does not receive an event for each turn. */
    private static final int FEWEST_SEATS_FOR_LIVE = 2;

    /** The cost of a listing and of a watch of the seat in front, without the listed names, in events of a live view. */
    private static final int LISTING_COST = 5;
    /** The number of listed names that cost as much as one event. */
    private static final int NAMES_PER_EVENT = 8;

    /** The cost of listings since the last tick from which on the ways are compared before the next tick. */
    private static final int MUCH = 512;

    private static final int EVENTS_PER_SEAT = 2;

    private final QueueView view;
    private boolean liveIsCheaper;
    private int listedSinceTick;
    private long namesSinceTick;
    /** The number of own seats since the last tick whose places a listing would have shown without the live view. */
    private int placedSinceTick;
    /** The sequence of the last seat in the view at the last tick. */
    private long lastSequence;

    ViewCosts(QueueView view) {
        this.view = view;
    }

    /** Returns whether a live view costs less than listings, as of the last tick. */
    boolean isLiveCheaper() {
        return liveIsCheaper;
    }

    /**
     * Counts a listing.
     *
     * @param newSeatsAreListed whether a further seat of this process would be listed
     */
    void listed(boolean newSeatsAreListed) {
        listedSinceTick++;
        namesSinceTick += view.size();
        if (newSeatsAreListed && costOfListings(listedSinceTick, namesSinceTick) > MUCH + costOfLiveView()) {
            liveIsCheaper = true;
        }
    }

    /** Counts a seat of this process that the live view has shown. */
    void placed() {
        placedSinceTick++;
    }

    /**
     * Compares the costs since the last tick.
     *
     * @param isWatched whether the folder is watched
     */
    void tick(boolean isWatched, Predicate<SeatName> isOwn) {
        int own = 0;
        int runs = 0;
        boolean inRun = false;
        for (SeatName seat : view.seats()) {
            boolean ofThisProcess = isOwn.test(seat);
            own += ofThisProcess ? 1 : 0;
            runs += ofThisProcess && !inRun ? 1 : 0;
            inRun = ofThisProcess;
        }
        if (isWatched) {
            long listings = (long) runs + placedSinceTick;
            liveIsCheaper = costOfListings(listings, listings * view.size()) > EVENTS_PER_SEAT * (long) view.size();
        } else {
            liveIsCheaper =
                    own >= FEWEST_SEATS_FOR_LIVE && costOfListings(listedSinceTick, namesSinceTick) > costOfLiveView();
        }
        lastSequence = lastSequence();
        listedSinceTick = 0;
        namesSinceTick = 0;
        placedSinceTick = 0;
    }

    /** Returns what a live view would have cost since the last tick. */
    private long costOfLiveView() {
        return EVENTS_PER_SEAT * (lastSequence() - lastSequence);
    }

    private long lastSequence() {
        return view.isEmpty() ? lastSequence : view.last().sequence();
    }

    private static long costOfListings(long listings, long names) {
        return listings * LISTING_COST + names / NAMES_PER_EVENT;
    }
}
