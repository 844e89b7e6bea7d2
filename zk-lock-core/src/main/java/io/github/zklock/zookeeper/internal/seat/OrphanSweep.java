package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Deletes nodes of this registry that no seat and no deletion knows of. Such a node would block its lock for as long as the
 * session lives. Owned by the loop.
 *
 * <p>Not expected to find any: each one is an error of this library, and is reported as such. (L25)
 */
public final class OrphanSweep {

    private static final Logger LOG = EngineLog.of(OrphanSweep.class);

    /** Ticks between two sweeps, of which there are eight in a session timeout. */
    private static final int TICKS = 8;
    /** A longer answer takes the servers and the network more time than it is worth. */
    private static final int MOST_SEATS = 2_000;

    private final String basePath;
    private final Predicate<String> ours;
    private final Deletions deletions;

    /** Nodes that nobody knew of at the last sweep. The server may have answered from an old copy, so they are not deleted yet. */
    private Set<String> suspects = Set.of();

    /** For so many more ticks. */
    private int lookedAfter;
    /** As the session had counted at the last tick. Seats may come and go between two ticks. */
    private long createsBefore;

    private int ticks;
    /** Whether the nodes of the engine before are to be deleted yet. */
    private boolean due;

    private Runnable whenDone = () -> {};

    /**
     * @param ours whether this registry has made a seat of this id
     * @param successor whether an engine before has left nodes
     */
    public OrphanSweep(String basePath, Predicate<String> ours, Deletions deletions, boolean successor) {
        this.due = successor;
        this.basePath = basePath;
        this.ours = ours;
        this.deletions = deletions;
    }

    /** Whether nodes of the engine before may be left whose deletion has not begun. */
    public boolean isDue() {
        return due;
    }

    /** The client is closed for good: what is left goes with its session. */
    public void abandon() {
        due = false;
    }

    /** Has the action run when no sweep is due any more. */
    public void whenDone(Runnable action) {
        whenDone = action;
    }

    /** A connection is there: what an engine before has left is looked for, behind all that it has sent. */
    public void connected(PinnedSession session) {
        createsBefore = 0;
        if (due) {
            session.ephemeralsCommitted(basePath, (outcome, paths) -> sweptAfterFailure(session, outcome, paths));
        }
    }

    private void sweptAfterFailure(PinnedSession session, Outcome outcome, @Nullable List<String> paths) {
        if (session.hasEnded() || !due) {
            return;
        }
        if (outcome == Outcome.OK && paths != null) {
            due = false;
            Set<String> known = known(session);
            for (String path : paths) {
                unknown(path, known).ifPresent(name -> delete(session, path, name));
            }
            whenDone.run();
        } else if (outcome == Outcome.UNKNOWN) {
            connected(session);
        } else if (outcome != Outcome.CONNECTION_LOST && outcome != Outcome.SESSION_ENDED) {
            // servers before 3.6 cannot tell: the nodes stay until the session ends
            due = false;
            LOG.error(
                    "Nodes that session {} may have left in lock folders cannot be found ({}): their locks are blocked until the"
                            + " session ends; close the client of that session",
                    Long.toHexString(session.sessionId()),
                    outcome);
            whenDone.run();
        }
    }

    /** Sweeps once in eight ticks, unless the session has had no seats for long. */
    public void tick(PinnedSession session) {
        int seats = session.nodes().size();
        if (seats > 0 || !deletions.isEmpty() || session.creates() != createsBefore) {
            // what was asked for just now may be carried out later
            lookedAfter = 2 * TICKS + 1;
        }
        createsBefore = session.creates();
        lookedAfter = Math.max(0, lookedAfter - 1);
        if (++ticks >= TICKS && (lookedAfter > 0 || !suspects.isEmpty()) && seats <= MOST_SEATS) {
            ticks = 0;
            session.ephemerals(basePath, (outcome, paths) -> swept(session, outcome, paths));
        }
    }

    private void swept(PinnedSession session, Outcome outcome, @Nullable List<String> paths) {
        if (outcome != Outcome.OK || paths == null || session.hasEnded()) {
            return;
        }
        Set<String> known = known(session);
        Set<String> unknown = new HashSet<>();
        for (String path : paths) {
            unknown(path, known).ifPresent(name -> {
                unknown.add(path);
                if (suspects.contains(path)) {
                    LOG.error(
                            "Node {} of session {} belongs to no seat and blocks its lock; deleting it. This is a bug of"
                                    + " zk-lock, unless clients connect to ZooKeeper through an observer behind an observer"
                                    + " master, which may execute a request late",
                            path,
                            Long.toHexString(session.sessionId()));
                    delete(session, path, name);
                }
            });
        }
        suspects = unknown;
    }

    /** The ids of the seats that stand on the session or leave it. */
    private Set<String> known(PinnedSession session) {
        Set<String> known = deletions.ids();
        session.nodes().forEach(node -> known.add(node.id()));
        return known;
    }

    /** The name of a node of ours that is not among the known ones. */
    private Optional<SeatName> unknown(String path, Set<String> known) {
        return SeatName.parse(path.substring(path.lastIndexOf('/') + 1))
                .filter(name -> ours.test(name.id()) && !known.contains(name.id()));
    }

    private void delete(PinnedSession session, String path, SeatName name) {
        deletions.beginStray(path.substring(0, path.lastIndexOf('/')), name, session, false);
    }
}
