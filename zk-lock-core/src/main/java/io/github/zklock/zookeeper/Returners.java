package io.github.zklock.zookeeper;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those who own the turn and re-enter it while it cannot be proven: they go on when it is proven again, and not if it is
 * lost. Owned by the loop.
 */
final class Returners {

    private final EngineContext context;
    private final Set<Claim> claims = new LinkedHashSet<>();

    Returners(EngineContext context) {
        this.context = context;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    Set<Claim> claims() {
        return claims;
    }

    void add(Claim claim) {
        claims.add(claim);
    }

    boolean remove(Claim claim) {
        return claims.remove(claim);
    }

    /** Answers all, unless this turn, theirs, is still in doubt. True if it is. */
    boolean answer(@Nullable Turn own) {
        if (!claims.isEmpty() && own != null && !own.isHeld()) {
            return true;
        }
        List<Claim> all = List.copyOf(claims);
        claims.clear();
        for (Claim claim : all) {
            if (own != null && own.addHold()) {
                claim.grant(own);
            } else {
                context.refuse(claim, Refusal.lostBeforeReentry(claim.name()));
            }
        }
        return false;
    }
}
