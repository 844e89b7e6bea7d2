package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.util.function.Predicate;

/**
 * The comparison of a live view with listings by what they cost a process until each seat of the queue has left.
 * A live view costs two events for each seat. Without it, a seat that comes to the head costs a watch of the seat in
 * front and a listing, unless the seat in front belongs to this process.
 */
final class ViewCosts {

    private static final int EVENTS_PER_SEAT = 2;

    /** The cost of a listing and of a watch of the seat in front, without the listed names, in events of a live view. */
    private static final int LISTING_COST = 5;

    /** The number of listed names that cost as much as one event. */
    private static final int NAMES_PER_EVENT = 8;

    private ViewCosts() {}

    /** Returns whether a live view of this queue costs less than listings. Takes time in proportion to the seats. */
    static boolean isLiveCheaper(QueueView view, Predicate<SeatName> isOwn) {
        long runs = 0;
        boolean inRun = false;
        for (SeatName seat : view.seats()) {
            boolean own = isOwn.test(seat);
            runs += own && !inRun ? 1 : 0;
            inRun = own;
        }
        // the one run of a process may be behind a long queue, and must not cost an event for each turn in front of it
        return runs > 1
                && runs * LISTING_COST + runs * view.size() / NAMES_PER_EVENT > (long) EVENTS_PER_SEAT * view.size();
    }
}
