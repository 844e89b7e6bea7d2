package io.github.zklock.zookeeper.internal.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Virtual time, and what is to happen in it: one queue, one thread, equal instants in the order of asking. */
final class SimScheduler {

    /** Something that will happen, unless it is cancelled. */
    static final class Event {
        private final long at;
        private final long number;
        private @Nullable Runnable action;

        private Event(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        void cancel() {
            action = null;
        }

        private boolean isBefore(Event other) {
            return at < other.at || (at == other.at && number < other.number);
        }
    }

    private Event[] heap = new Event[256];
    private int size;
    private long now;
    private long counter;
    private long steps;

    long now() {
        return now;
    }

    long steps() {
        return steps;
    }

    Event after(long delay, Runnable action) {
        return at(now + Math.max(0, delay), action);
    }

    Event at(long instant, Runnable action) {
        Event event = new Event(Math.max(instant, now), counter++, action);
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        siftUp(size++, event);
        return event;
    }

    /** Goes on to the next thing that happens before the limit; false if there is none. */
    boolean step(long limit) {
        while (size > 0) {
            Event first = heap[0];
            if (first.at > limit) {
                break;
            }
            removeFirst();
            Runnable action = first.action;
            if (action != null) {
                first.action = null;
                now = first.at;
                steps++;
                action.run();
                return true;
            }
        }
        now = Math.max(now, limit);
        return false;
    }

    private void siftUp(int from, Event event) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!event.isBefore(heap[parent])) {
                break;
            }
            heap[hole] = heap[parent];
            hole = parent;
        }
        heap[hole] = event;
    }

    private void removeFirst() {
        Event last = heap[--size];
        int hole = 0;
        while (2 * hole + 1 < size) {
            int child = 2 * hole + 1;
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(last)) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = last;
    }
}
