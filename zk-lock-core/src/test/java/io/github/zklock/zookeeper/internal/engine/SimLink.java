package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * One direction of a connection: messages arrive in order, each after a delay of its own. While it is cut they wait at
 * the far end, as TCP sends again what was not acknowledged; a reset forgets them.
 */
final class SimLink {

    private final SimScheduler scheduler;
    private final SimDelays delays;
    private final Consumer<Runnable> receiver;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private long lastArrival;
    private int generation;
    private boolean cut;
    private boolean closed;

    /** @param receiver takes each message at the far end: at once, or when it goes on after a pause */
    SimLink(SimScheduler scheduler, SimDelays delays, Consumer<Runnable> receiver, boolean cut) {
        this.scheduler = scheduler;
        this.delays = delays;
        this.receiver = receiver;
        this.cut = cut;
    }

    boolean isCut() {
        return cut;
    }

    void send(Runnable message) {
        long arrival = Math.max(lastArrival, scheduler.now() + delays.next());
        lastArrival = arrival;
        int sentIn = generation;
        scheduler.at(arrival, () -> {
            if (sentIn == generation && !closed) {
                arrive(message);
            }
        });
    }

    void setCut(boolean cutNow) {
        cut = cutNow;
        while (!cut && !waiting.isEmpty()) {
            receiver.accept(waiting.poll());
        }
    }

    /** Nothing that is sent, or on its way, arrives any more. */
    void close() {
        closed = true;
        reset();
    }

    void reset() {
        generation++;
        waiting.clear();
    }

    private void arrive(Runnable message) {
        if (cut) {
            waiting.add(message);
        } else {
            receiver.accept(message);
        }
    }
}
