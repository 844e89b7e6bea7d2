package io.github.zklock.console;

import io.github.zklock.LockInspector.Seat;
import java.util.List;

/**
 * The queue of a lock, of which only the first seats are remembered.
 *
 * @param first in the order in which they are served, holders first
 */
record Queue(int length, int holding, List<Seat> first) {

    static Queue of(List<Seat> seats, int most) {
        return new Queue(
                seats.size(),
                (int) seats.stream().filter(Seat::holds).count(),
                seats.stream().limit(most).toList());
    }

    Queue first(int most) {
        return new Queue(length, holding, first.stream().limit(most).toList());
    }
}
