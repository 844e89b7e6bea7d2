package io.github.zklock.zookeeper.internal.local;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The granted turns of an engine, until their release or loss was reported. A list whose links are fields of the turns,
 * so that it does not allocate. Owned by the loop.
 */
public final class LiveTurns {

    /** The links of a turn, which only the list uses. */
    abstract static class Element {

        @Nullable Turn previous;

        @Nullable Turn next;

        boolean listed;
    }

    private @Nullable Turn first;
    private @Nullable Turn last;

    /*
     * Invariant: these two methods call no other method, so at the end of a stack either all of their work happens or
     * nothing.
     */

    public void add(Turn turn) {
        if (!turn.listed) {
            turn.previous = last;
            turn.next = null;
            turn.listed = true;
            if (last == null) {
                first = turn;
            } else {
                last.next = turn;
            }
            last = turn;
        }
    }

    public void remove(Turn turn) {
        if (turn.listed) {
            Turn before = turn.previous;
            Turn after = turn.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.previous = before;
            }
            turn.previous = null;
            turn.next = null;
            turn.listed = false;
        }
    }

    public boolean isEmpty() {
        return first == null;
    }

    /** Calls the action for each turn. The action may remove its turn. */
    public void forEach(Consumer<Turn> action) {
        Turn turn = first;
        while (turn != null) {
            Turn next = turn.next;
            action.accept(turn);
            turn = next;
        }
    }
}
