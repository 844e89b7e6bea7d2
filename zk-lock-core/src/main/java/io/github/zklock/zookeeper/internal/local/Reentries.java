package io.github.zklock.zookeeper.internal.local;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests of owners for a further hold of their turn, until it is proven again or lost. Owned by the loop. */
final class Reentries {

    private final Map<Claim, Turn> claims = new LinkedHashMap<>(0);
    private final Map<Turn, Set<Claim>> byTurn = new HashMap<>(0);

    void add(Claim claim, Turn own) {
        claims.put(claim, own);
        byTurn.computeIfAbsent(own, none -> new LinkedHashSet<>(1)).add(claim);
    }

    void remove(Claim claim) {
        Turn own = claims.remove(claim);
        if (own != null) {
            byTurn.computeIfPresent(own, (same, all) -> {
                all.remove(claim);
                return all.isEmpty() ? null : all;
            });
        }
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    boolean contains(Claim claim) {
        return claims.containsKey(claim);
    }

    @Nullable Turn turnOf(Claim claim) {
        return claims.get(claim);
    }

    Collection<Claim> claims() {
        return Collections.unmodifiableCollection(claims.keySet());
    }

    /** Returns the requests of the owner of this turn. */
    List<Claim> to(Turn turn) {
        return List.copyOf(byTurn.getOrDefault(turn, Set.of()));
    }
}
