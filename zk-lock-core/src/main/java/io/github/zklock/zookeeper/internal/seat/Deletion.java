package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The removal of a seat's node, from the decision until the node is known to be deleted. Owned by the loop. */
public final class Deletion {

    /** A receiver of the outcome of a deletion. */
    public interface Observer {

        void gone();

        /** The client was closed before. ZooKeeper deletes the node with its session, without a confirmation. */
        void unseen();
    }

    private final String folder;
    private final String id;
    private final PinnedSession session;
    private final boolean canWait;
    private final List<Observer> observers = new ArrayList<>(1);
    private @Nullable SeatName name;
    private int bytes;
    private boolean finished;
    private boolean givenUp;

    /**
     * @param session the session on which the node was created or may have been created
     * @param canWait whether the deletion may wait until the writes under way in its folder have been answered
     */
    Deletion(String folder, String id, PinnedSession session, boolean canWait) {
        this.folder = folder;
        this.id = id;
        this.session = session;
        this.canWait = canWait;
    }

    /**
     * Counts the node against the session's budget, from the request that creates it until it is known to be deleted.
     * (L24)
     */
    void occupy(int pathBytes) {
        bytes = pathBytes;
        session.budget().take(bytes);
    }

    /** Sets the name of the node. */
    void setName(SeatName node) {
        name = node;
    }

    /** Removes the name: the node has one of two names, so the deletion has to search for it. */
    void ofUnknownName() {
        name = null;
    }

    String folder() {
        return folder;
    }

    boolean canWait() {
        return canWait;
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

    /**
     * Notifies the observer when the node is known to be deleted or when no confirmation is possible; at once if that
     * is so already.
     */
    public void observe(Observer observer) {
        if (finished) {
            observer.gone();
        } else if (givenUp) {
            observer.unseen();
        } else {
            observers.add(observer);
        }
    }

    /** Records that the node is known to be deleted. */
    void finish() {
        if (!finished) {
            finished = true;
            if (bytes > 0) {
                session.budget().giveBack(bytes);
            }
            Isolated.forEach(observers, Observer::gone);
            observers.clear();
        }
    }

    /** Records that this process cannot confirm the deletion any more. */
    void giveUp() {
        givenUp = true;
        Isolated.forEach(observers, Observer::unseen);
        observers.clear();
    }
}
