package io.github.zklock.zookeeper.internal.local;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The turns of an engine that were granted, until their release or their loss was told. A list whose links are fields of the
 * turns: nothing is allocated here. Owned by the loop.
 */
public final class LiveTurns {

    private @Nullable Turn first;
    private @Nullable Turn last;

    /* No call in these two: either all of it happens or, at the end of a stack, nothing. */

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

    /** The action may remove the turn that it is given. */
    public void forEach(Consumer<Turn> action) {
        Turn turn = first;
        while (turn != null) {
            Turn next = turn.next;
            action.accept(turn);
            turn = next;
        }
    }
}
