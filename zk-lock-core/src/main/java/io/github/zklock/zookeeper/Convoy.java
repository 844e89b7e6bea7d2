package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.Departure.Heir;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one folder that are deleted together: those of seats that were left one after the other, each in favour of the
 * next one of the same process. Owned by the loop.
 */
final class Convoy {

    /*
     * While a process passes a lock on among its own seats, nobody waits for the nodes that it leaves behind, so that those
     * that are left while a transaction is under way share the next one. The first that is left in favour of nobody takes
     * them along at once, as others may wait behind it. Whether the nodes of those who were favoured are there is asked in
     * the same transaction. If it fails, they are told first, as others may be granted the lock as soon as what is left is
     * deleted, one by one.
     */

    /** Who has the nodes deleted. */
    interface Host {
        void gone(Departure departure);

        /** Whether it is gone is not known. */
        void isInDoubt(Departure departure, Outcome outcome);

        /** It is not gone. */
        void again(Departure departure);

        void failed(Departure departure, Throwable error);

        /** Nothing is under way, and nobody waits. */
        void isOver();
    }

    /** Names may be long, and what ZooKeeper takes in one message is bounded. (L22) */
    private static final int MOST = 32;

    private final Host host;
    private final PinnedSession tenure;
    private final List<Departure> waiting = new ArrayList<>(1);
    private int underWay;
    private boolean disbanded;

    Convoy(Host host, PinnedSession tenure) {
        this.host = host;
        this.tenure = tenure;
    }

    /** Takes along one that was left in favour of another. */
    void join(Departure departure) {
        take(departure);
        if (underWay == 0 || waiting.size() >= MOST) {
            depart();
        }
    }

    /** Takes along one that was left in favour of nobody. */
    void joinLast(Departure departure) {
        take(departure);
        depart();
    }

    /** The connection is gone: all that are not known to be gone are attempted on another one. */
    void disband() {
        disbanded = true;
        waiting.clear();
    }

    private void take(Departure departure) {
        if (!waiting.contains(departure)) {
            waiting.add(departure);
        }
    }

    private void depart() {
        List<Departure> leaving = takeWaiting();
        underWay++;
        try {
            List<String> paths = leaving.stream().map(Departure::path).toList();
            List<Heir> heirs = leaving.stream()
                    .flatMap(departure -> Stream.ofNullable(departure.heirOn(tenure)))
                    .distinct()
                    .toList();
            List<String> next = heirs.stream()
                    .flatMap(heir -> Stream.ofNullable(heir.path()))
                    .toList();
            tenure.deleteAll(paths, next, (outcome, missing) -> {
                underWay--;
                try {
                    answered(leaving, heirs, outcome, missing);
                } catch (RuntimeException error) {
                    failed(leaving, error);
                } finally {
                    goOn();
                }
            });
        } catch (RuntimeException error) {
            underWay--;
            failed(leaving, error);
            goOn();
        }
    }

    /** Whoever leaves must not be held up, and no node be forgotten. (L19) */
    private void failed(List<Departure> leaving, Throwable error) {
        Isolated.forEach(leaving, departure -> host.failed(departure, error));
    }

    private void answered(List<Departure> leaving, List<Heir> heirs, Outcome outcome, @Nullable Integer missing) {
        if (outcome == Outcome.OK) {
            Isolated.forEach(leaving, host::gone);
            // they know, unless something went wrong when they were told (L19)
            Isolated.forEach(heirs, Heir::inherits);
        } else if (disbanded) {
            return;
        } else if (outcome.isUnknown()) {
            List<Departure> all =
                    Stream.concat(leaving.stream(), takeWaiting().stream()).toList();
            Isolated.forEach(all, departure -> host.isInDoubt(departure, outcome));
        } else {
            int place = missing == null ? -1 : missing - leaving.size();
            if (outcome == Outcome.NO_NODE && place >= 0) {
                Isolated.run(heirs.get(place)::isMissing);
            }
            Isolated.forEach(heirs, Heir::isInDoubt);
            Isolated.forEach(leaving, departure -> {
                departure.goAlone();
                host.again(departure);
            });
        }
    }

    private void goOn() {
        if (underWay == 0 && !waiting.isEmpty()) {
            depart();
        } else if (underWay == 0 && !disbanded) {
            host.isOver();
        }
    }

    private List<Departure> takeWaiting() {
        List<Departure> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
