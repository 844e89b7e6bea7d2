package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.runtime.Chain;
import java.util.function.Consumer;

/**
 * The claims of a registry whose answer may not have arrived yet, independent of the engine that has to answer them.
 * Owned by the loop.
 */
final class OpenClaims {

    /** The number of the oldest claims that are checked when one is added, so that settled claims do not accumulate. */
    private static final int LOOKED_AT = 2;

    private final Chain<Claim> claims = new Chain<>();

    /** Adds the claim, unless it is listed. */
    void add(Claim claim) {
        if (claims.add(claim)) {
            for (int i = 0; i < LOOKED_AT; i++) {
                lookAtOldest();
            }
        }
    }

    /** Returns the number of claims, including claims that were settled since the latest check. */
    int size() {
        return claims.size();
    }

    /** Removes settled claims, and calls the action for the others, in any order. */
    void forEach(Consumer<Claim> action) {
        claims.forEach(claim -> {
            if (claim.isSettled()) {
                claims.remove(claim);
            } else {
                action.accept(claim);
            }
        });
    }

    private void lookAtOldest() {
        Claim oldest = claims.first();
        if (claims.size() > 1 && oldest != null) {
            if (oldest.isSettled()) {
                claims.remove(oldest);
            } else {
                claims.moveFirstToEnd();
            }
        }
    }
}
