package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.local.Claim;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a registry whose answer may not have arrived yet, independent of the engine that has to answer them. A
 * list whose links are fields of the claims, so that it does not allocate. Owned by the loop.
 */
final class OpenClaims {

    /** The number of the oldest claims that are checked when one is added, so that settled claims do not accumulate. */
    private static final int LOOKED_AT = 2;

    private @Nullable Claim first;
    private @Nullable Claim last;
    private int size;

    /** Adds the claim, unless it is listed. */
    void add(Claim claim) {
        if (!claim.listed) {
            append(claim);
            for (int i = 0; i < LOOKED_AT; i++) {
                lookAtOldest();
            }
        }
    }

    /** Returns the number of claims, including claims that were settled since the latest check. */
    int size() {
        return size;
    }

    /** Removes settled claims, and calls the action for the others, in any order. */
    void forEach(Consumer<Claim> action) {
        Claim claim = first;
        while (claim != null) {
            Claim next = claim.next;
            if (claim.isSettled()) {
                remove(claim);
            } else {
                action.accept(claim);
            }
            claim = next;
        }
    }

    private void lookAtOldest() {
        Claim oldest = first;
        if (oldest != null && oldest.next != null) {
            if (oldest.isSettled()) {
                remove(oldest);
            } else {
                moveToEnd();
            }
        }
    }

    /*
     * Invariant: these three methods call no other method, so at the end of a stack either all of their work happens or
     * nothing.
     */

    /** Moves the first claim to the end, if there is another one behind it. */
    private void moveToEnd() {
        Claim oldest = first;
        Claim end = last;
        if (oldest != null && end != null && oldest.next != null) {
            first = oldest.next;
            oldest.next.previous = null;
            oldest.next = null;
            oldest.previous = end;
            end.next = oldest;
            last = oldest;
        }
    }

    private void append(Claim claim) {
        claim.previous = last;
        claim.next = null;
        claim.listed = true;
        size++;
        if (last == null) {
            first = claim;
        } else {
            last.next = claim;
        }
        last = claim;
    }

    private void remove(Claim claim) {
        Claim before = claim.previous;
        Claim after = claim.next;
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
        claim.previous = null;
        claim.next = null;
        claim.listed = false;
        size--;
    }
}
