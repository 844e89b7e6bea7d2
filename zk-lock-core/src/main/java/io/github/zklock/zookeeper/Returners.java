package io.github.zklock.zookeeper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Those who own a turn and come back for more of it: at once if it can be proven, when it is proven again if it cannot,
 * and not if it is lost. Owned by the loop.
 */
final class Returners {

    /** The turnstile. */
    interface Host {
        /** Whether the turn is not over. */
        boolean holds(Turn own);

        /** Has what it wants: one more hold of its own turn, or a turn to read beside its own to write. */
        void comesBack(Claim claim, Turn own);

        void comesTooLate(Claim claim);

        void proofNeeded();
    }

    private final Host host;
    private final Map<Claim, Turn> claims = new LinkedHashMap<>(0);

    Returners(Host host) {
        this.host = host;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    Set<Claim> claims() {
        return claims.keySet();
    }

    void add(Claim claim, Turn own) {
        claims.put(claim, own);
    }

    boolean remove(Claim claim) {
        return claims.remove(claim) != null;
    }

    /** Answers all whose turn is not in doubt. */
    void answer() {
        if (claims.isEmpty()) {
            return;
        }
        for (Claim claim : List.copyOf(claims.keySet())) {
            Turn own = claims.get(claim);
            if (own == null) {
                continue;
            }
            if (!host.holds(own)) {
                claims.remove(claim);
                host.comesTooLate(claim);
            } else if (own.isHeld()) {
                claims.remove(claim);
                host.comesBack(claim, own);
            } else {
                host.proofNeeded();
            }
        }
    }
}
