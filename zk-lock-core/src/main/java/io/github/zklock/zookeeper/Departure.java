package io.github.zklock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The removal of a seat's node, from the decision until the node is known to be gone. Owned by the loop. */
final class Departure {

    /** Who wants to know. */
    interface Observer {
        void gone();

        /** The client was closed before: the node goes with its session, but nobody will see it. */
        void unseen();
    }

    private final String folder;
    private final String id;
    private final Tenure tenure;
    private final List<Observer> observers = new ArrayList<>(1);

    private @Nullable SeatName name;
    private boolean finished;

    /** @param tenure the one on which the node was, or may have been, created */
    Departure(String folder, String id, Tenure tenure) {
        this.folder = folder;
        this.id = id;
        this.tenure = tenure;
    }

    /** Names the node, once that is known. */
    void of(SeatName node) {
        name = node;
    }

    /** The node bears one of two names, and it is not known which: it will be looked for. */
    void ofUnknownName() {
        name = null;
    }

    String folder() {
        return folder;
    }

    String id() {
        return id;
    }

    @Nullable SeatName name() {
        return name;
    }

    boolean isOn(Tenure other) {
        return tenure == other;
    }

    boolean isFinished() {
        return finished;
    }

    /** Tells the observer when the node is known to be gone; at once if it is. */
    void observe(Observer observer) {
        if (finished) {
            observer.gone();
        } else {
            observers.add(observer);
        }
    }

    void finish() {
        if (!finished) {
            finished = true;
            observers.forEach(Observer::gone);
            observers.clear();
        }
    }

    /** Nobody will see the node go. */
    void giveUp() {
        observers.forEach(Observer::unseen);
        observers.clear();
    }
}
