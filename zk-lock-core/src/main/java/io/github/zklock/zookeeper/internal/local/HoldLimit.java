package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.runtime.Time;
import org.jspecify.annotations.Nullable;

/**
 * The instant at which a turn is taken from its holders, unless the limit is moved or ends before. Owned by the loop,
 * except {@link #ask} and {@link #end}.
 */
public final class HoldLimit {

    /*
     * This object refers to the turn's alarm but not to the handle that has set it. Otherwise the handle could not be
     * collected, and a leak would not be detected.
     *
     * Invariant: asked is written before the request is passed to the loop, and over is written before asked is read.
     * Therefore either the thread that ends the limit sees that it has to notify the loop, or the loop sees that the
     * limit is over.
     */

    private volatile boolean asked;
    private volatile boolean over;
    private Time.@Nullable Alarm alarm;

    /** Called before an instant is passed to the loop. Any thread. */
    public void ask() {
        asked = true;
    }

    /**
     * Ends the limit: it takes no turn from now on. Any thread.
     *
     * @return whether an instant was passed to the loop, or will be
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
