package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The removal of a seat's node, from the decision until the node is known to be gone. Owned by the loop. */
final class Departure {

    /** Who wants to know. */
    interface Observer {
        void gone();

        /** The client was closed before: the node goes with its session, but nobody will see it. */
        void unseen();
    }

    /** A seat that stands right behind one of the same process. */
    interface Heir {
        /** Its node's path; null if it is not there any more. */
        @Nullable String path();

        /** It is the head: the one in front, which was, is given up. */
        void inherits();

        /** The one in front is gone, or goes, and was not the head: what stands in front now is for it to find out. */
        void mayInherit();

        /** The deletion of the one in front did not tell: whether it is there, and the head, is for it to find out. */
        void isInDoubt();

        /** Its own node is not there. */
        void isMissing();
    }

    private final String folder;
    private final String id;
    private final PinnedSession tenure;
    private final List<Observer> observers = new ArrayList<>(1);

    private @Nullable SeatName name;
    private @Nullable Heir heir;
    private boolean alone;
    private boolean finished;
    private boolean givenUp;
    private int bytes;
    private Time.@Nullable Alarm retry;

    /** @param tenure the one on which the node was, or may have been, created */
    Departure(String folder, String id, PinnedSession tenure) {
        this.folder = folder;
        this.id = id;
        this.tenure = tenure;
    }

    /** The node may exist from now on: it counts until it is known to be gone. (L24) */
    void occupy(Demand demand) {
        bytes = tenure.bytesOf(folder, demand);
        tenure.budget().take(bytes);
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

    /** The node is not to be deleted together with others, nor by looking for the heir's. */
    void goAlone() {
        alone = true;
    }

    boolean goesAlone() {
        return alone;
    }

    /** Whose node is to be asked for when this one is deleted on that session; null if nobody's. */
    @Nullable Heir heirOn(PinnedSession session) {
        return heir == null || alone || session != tenure || heir.path() == null ? null : heir;
    }

    /** Nothing was learned of whoever comes next. */
    void doubtHeir(PinnedSession session) {
        if (heir != null && session == tenure) {
            heir.isInDoubt();
        }
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

    /** Only once the node is named. */
    String path() {
        return folder + "/" + Objects.requireNonNull(name).node();
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
            if (bytes > 0) {
                tenure.budget().giveBack(bytes);
            }
            if (retry != null) {
                retry.cancel();
            }
            // lest one handle keep all that came after it
            heir = null;
            Isolated.forEach(observers, Observer::gone);
            observers.clear();
        }
    }

    /** Nobody will see the node go. */
    void giveUp() {
        givenUp = true;
        heir = null;
        Isolated.forEach(observers, Observer::unseen);
        observers.clear();
    }
}
