package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.local.Claim;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a registry whose answer may not have arrived yet, whatever becomes of the engine that is to answer them. A
 * list whose links are fields of the claims: nothing is allocated here. Owned by the loop.
 */
final class OpenClaims {

    /** So many of the oldest are looked at whenever one is added, so that settled ones do not pile up. */
    private static final int LOOKED_AT = 2;

    private @Nullable Claim first;
    private @Nullable Claim last;

    /** Adds the claim, unless it is there. */
    void add(Claim claim) {
        if (!claim.listed) {
            append(claim);
            for (int i = 0; i < LOOKED_AT; i++) {
                lookAtOldest();
            }
        }
    }

    /** Forgets those that are settled, and does this with the others, in the order of asking as far as that is known. */
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

    /* No call in these three: either all of it happens or, at the end of a stack, nothing. */

    /** Of the first one, behind which there is another. */
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
    }
}
