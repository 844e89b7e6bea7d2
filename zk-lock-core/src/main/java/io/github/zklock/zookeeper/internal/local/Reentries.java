package io.github.zklock.zookeeper.internal.local;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The requests of owners for a further hold of {@link Claim#own}, until that turn is proven again or lost. Owned by the
 * loop.
 */
final class Reentries {

    private final Set<Claim> claims = new LinkedHashSet<>(0);
    private final Map<Turn, Set<Claim>> byTurn = new HashMap<>(0);

    void add(Claim claim) {
        claims.add(claim);
        byTurn.computeIfAbsent(ownOf(claim), none -> new LinkedHashSet<>(1)).add(claim);
    }

    void remove(Claim claim) {
        if (claims.remove(claim)) {
            byTurn.computeIfPresent(ownOf(claim), (own, all) -> {
                all.remove(claim);
                return all.isEmpty() ? null : all;
            });
        }
    }

    private static Turn ownOf(Claim claim) {
        return Objects.requireNonNull(claim.own());
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    boolean contains(Claim claim) {
        return claims.contains(claim);
    }

    Collection<Claim> claims() {
        return Collections.unmodifiableCollection(claims);
    }

    /** Returns the requests of the owner of this turn. */
    List<Claim> to(Turn turn) {
        return List.copyOf(byTurn.getOrDefault(turn, Set.of()));
    }
}
