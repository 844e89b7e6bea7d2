package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * The cycles that a search has found and that may be deadlocks. A search reads the parts of a cycle one after the
 * other, so it can find one that never existed. A cycle is confirmed only if a third search finds it again, after each
 * of its waits was published at least twice since the second one.
 *
 * <p>Then all of its waits and holds existed at the end of the first search. The first one read each of them. The second
 * one began later and read version v, so version v + 1 was written later still. Version v + 2 describes the process after
 * that, and contains the same waits and holds. A wait never begins again under the same id, and a hold never under the
 * same token.
 */
final class Suspects {

    private static final class Suspect {

        private List<Link> links;
        private boolean foundTwice;
        private boolean confirmed;

        Suspect(List<Link> links) {
            this.links = links;
        }

        boolean isSameAs(List<Link> found) {
            return links.size() == found.size()
                    && found.stream().allMatch(link -> links.stream().anyMatch(link::isSameAs));
        }

        boolean isPublishedAgain(List<Link> found) {
            return found.stream()
                    .allMatch(link -> links.stream()
                            .anyMatch(before -> before.isSameAs(link) && link.version() > before.version() + 1));
        }
    }

    private List<Suspect> suspects = List.of();

    /**
     * Processes the cycles that one search has found.
     *
     * @return the cycles that are confirmed now; each of them once, unless it disappears and is found again
     */
    List<List<Link>> confirm(List<List<Link>> circles) {
        List<List<Link>> confirmed = new ArrayList<>();
        List<Suspect> present = new ArrayList<>();
        for (List<Link> circle : circles) {
            Suspect known = suspects.stream()
                    .filter(suspect -> suspect.isSameAs(circle))
                    .findFirst()
                    .orElse(null);
            if (known == null) {
                present.add(new Suspect(circle));
                continue;
            }
            present.add(known);
            if (!known.foundTwice) {
                known.foundTwice = true;
                known.links = circle;
            } else if (!known.confirmed && known.isPublishedAgain(circle)) {
                known.confirmed = true;
                confirmed.add(circle);
            }
        }
        suspects = present;
        return confirmed;
    }
}
