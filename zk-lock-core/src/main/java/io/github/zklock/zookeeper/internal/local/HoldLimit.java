package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.runtime.Time;
import org.jspecify.annotations.Nullable;

/**
 * The instant at which a turn is taken from its holders, unless it is moved or ends before. Owned by the loop, apart
 * from {@link #ask} and {@link #end}.
 */
public final class HoldLimit {

    /*
     * Knows the turn's alarm and never the handle that has set it: a handle that was dropped must be seen to be dropped.
     *
     * asked is written before the loop is told, and over before asked is read: either whoever ends the limit sees that the
     * loop is to be told of that, too, or the loop sees that it is over.
     */

    private volatile boolean asked;
    private volatile boolean over;
    private Time.@Nullable Alarm alarm;

    /** The loop is about to be told of an instant. Any thread. */
    public void ask() {
        asked = true;
    }

    /**
     * Nothing is taken from anybody any more on account of this limit. Any thread.
     *
     * @return whether the loop was told of an instant, or is about to be
     */
    public boolean end() {
        over = true;
        return asked;
    }

    boolean isOver() {
        return over;
    }

    void arm(Time.Alarm next) {
        alarm = next;
    }

    void disarm() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
