package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the users of one lock saw of it: when they asked, when they were granted, until when they could rely on it.
 * Checked against the {@link SimModel sequential object}.
 */
final class SimHistory {

    /*
     * A history is linearizable if each taking fits in somewhere between its call and its answer, and each giving back
     * somewhere between its call, or the instant at which the turn ceased to be valid, and whenever the cluster saw it,
     * so that the sequential object allows the whole. Of these objects a shorter hold never forbids what a longer one
     * allows. So it is enough to try the shortest holds: taken at the answer, given back at the call. If the object
     * refuses those, it refuses all, and no search is needed. A release whose outcome is unknown has taken effect, as
     * far as others may be granted; a claim whose outcome is unknown holds nothing, as nobody relies on it.
     */

    private record Point(long at, SimHold hold, boolean takes) {}

    // at one instant those who give back are first
    private static final Comparator<Point> ORDER =
            Comparator.comparingLong(Point::at).thenComparing(Point::takes);

    private final List<SimHold> holds = new ArrayList<>();

    void granted(SimHold hold) {
        holds.add(hold);
    }

    /** Why no order of the calls explains the answers; empty if one does. */
    Optional<String> contradiction() {
        SimModel model = new SimModel();
        for (Point point : points()) {
            if (!point.takes()) {
                model.giveBack(point.hold());
            } else if (!model.take(point.hold())) {
                return Optional.of(
                        point.hold() + " was granted at " + point.at() / 1_000_000 + " ms beside " + model.held());
            }
        }
        return Optional.empty();
    }

    private List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (SimHold hold : holds) {
            // who was fooled by his clock, or robbed by an operator, proves nothing
            if (!hold.excused && hold.lastValidAt > hold.grantedAt()) {
                points.add(new Point(hold.grantedAt(), hold, true));
                points.add(new Point(hold.lastValidAt, hold, false));
            }
        }
        points.sort(ORDER);
        return points;
    }
}
