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

    /** A seat that waits right behind one of the same process. */
    interface Heir {
        /** Its node; null if it does not wait any more. */
        @Nullable String node();

        /** It is the head: the one in front, which was, is gone, and its own node was there then. */
        void inherits();

        /** The one in front is gone, or goes. Whether this one is there, and the head, is for it to find out. */
        void mayInherit();
    }

    private final String folder;
    private final String id;
    private final Tenure tenure;
    private final List<Observer> observers = new ArrayList<>(1);

    private @Nullable SeatName name;
    private @Nullable Heir heir;
    private boolean heirInDoubt;
    private boolean finished;
    private boolean givenUp;
    private Time.@Nullable Alarm retry;

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

    /** Names who comes next. */
    void inFavourOf(Heir next) {
        heir = next;
    }

    /** The node cannot be deleted together with a look for the heir's: that is not there, or must not be read. */
    void doubtHeir() {
        heirInDoubt = true;
    }

    /** Whose node is to be asked for when this one is deleted on that session; null if nobody's. */
    @Nullable Heir heirOn(Tenure session) {
        return heir == null || heirInDoubt || session != tenure || heir.node() == null ? null : heir;
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

    boolean isFinished() {
        return finished;
    }

    /** The next attempt; any other that was to come does not. */
    void retryAt(Time.Alarm alarm) {
        if (retry != null) {
            retry.cancel();
        }
        retry = alarm;
    }

    /** Tells the observer when the node is known to be gone, or nobody will see it go; at once if that is so. */
    void observe(Observer observer) {
        if (finished) {
            observer.gone();
        } else if (givenUp) {
            observer.unseen();
        } else {
            observers.add(observer);
        }
    }

    void finish() {
        if (!finished) {
            finished = true;
            if (retry != null) {
                retry.cancel();
            }
            try {
                Isolated.forEach(observers, Observer::gone);
                observers.clear();
            } finally {
                // nobody else would tell it (L19)
                tellHeir();
            }
        }
    }

    private void tellHeir() {
        if (heir != null) {
            heir.mayInherit();
        }
    }

    /** Nobody will see the node go. */
    void giveUp() {
        givenUp = true;
        Isolated.forEach(observers, Observer::unseen);
        observers.clear();
    }
}
