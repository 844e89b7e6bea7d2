package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The removal of a seat's node, from the decision until the node is known to be gone. Owned by the loop. */
public final class Deletion {

    /** Is told how a deletion ended. */
    public interface Observer {

        void gone();

        /** The client was closed before: the node goes with its session, and this process will not see it. */
        void unseen();
    }

    private final String folder;
    private final String id;
    private final PinnedSession session;
    private final List<Observer> observers = new ArrayList<>(1);
    private @Nullable SeatName name;
    private int bytes;
    private boolean finished;
    private boolean givenUp;

    /** @param session on which the node was created, or may have been */
    Deletion(String folder, String id, PinnedSession session) {
        this.folder = folder;
        this.id = id;
        this.session = session;
    }

    /** The node may exist from now on. It counts against the session's budget until it is known to be gone. (L24) */
    void occupy(int pathBytes) {
        bytes = pathBytes;
        session.budget().take(bytes);
    }

    /** Names the node. */
    void of(SeatName node) {
        name = node;
    }

    /** The node has one of two names: it has to be looked for. */
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

    boolean isFinished() {
        return finished;
    }

    /** Tells the observer when the node is known to be gone, or will not be seen to go; at once if that is so. */
    public void observe(Observer observer) {
        if (finished) {
            observer.gone();
        } else if (givenUp) {
            observer.unseen();
        } else {
            observers.add(observer);
        }
    }

    /** The node is known to be gone. */
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

    void giveUp() {
        givenUp = true;
        Isolated.forEach(observers, Observer::unseen);
        observers.clear();
    }
}
