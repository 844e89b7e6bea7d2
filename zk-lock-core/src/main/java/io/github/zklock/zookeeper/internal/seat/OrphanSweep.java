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
 * The search for nodes of this registry that belong to no seat and no deletion. Such a node would block its lock until
 * the session ends, so it is deleted. Owned by the loop.
 *
 * <p>After an engine was replaced, the nodes of the previous one are expected (L26). Later, such a node is expected only on
 * a session on which a create was lost, because a server may execute it late. On any other session it is an error of this
 * library, and is logged as such. (L25)
 */
public final class OrphanSweep {

    private static final Logger LOG = EngineLog.of(OrphanSweep.class);

    /** The number of ticks between two sweeps. A session timeout has eight ticks. */
    private static final int TICKS = 8;
    /** The largest number of seats for which a sweep is worth the time of the servers and the network. */
    private static final int MOST_SEATS = 2_000;

    private final String basePath;
    private final Predicate<String> ours;
    private final Deletions deletions;

    /**
     * Nodes that were unknown at the last sweep. The server may have answered from an old copy, so they are not deleted
     * yet.
     */
    private Set<String> suspects = Set.of();

    /** The number of further ticks during which sweeps continue. */
    private int lookedAfter;
    /** The count of creates at the last tick. Seats may be created and deleted between two ticks. */
    private long createsBefore;

    private int ticks;
    /** The session that a previous engine may have used, on which one of its creates may count as lost. */
    private @Nullable PinnedSession inherited;

    /** Whether the nodes of the previous engine have still to be deleted. */
    private boolean due;
    /** Whether the servers support the search. */
    private boolean supported = true;

    private Runnable whenDone = () -> {};

    /**
     * @param ours whether this registry has created a seat with this id
     * @param successor whether a previous engine has left nodes
     */
    public OrphanSweep(String basePath, Predicate<String> ours, Deletions deletions, boolean successor) {
        this.due = successor;
        this.basePath = basePath;
        this.ours = ours;
        this.deletions = deletions;
    }

    /** Returns whether nodes of the previous engine may exist whose deletion has not begun. */
    public boolean isDue() {
        return due;
    }

    /** Returns whether a node may be created late on the session, which this sweep would then find. */
    public boolean mayFindLater(PinnedSession session) {
        return supported && (session == inherited || session.mayCreateLate());
    }

    /** Stops: the client is closed, and ZooKeeper deletes the remaining nodes with its session. */
    public void abandon() {
        due = false;
    }

    /** Sets the action to run when no sweep is due any more. */
    public void whenDone(Runnable action) {
        whenDone = action;
    }

    /** Searches, on a new connection, for the nodes of a previous engine, behind all requests that it has sent. */
    public void connected(PinnedSession session) {
        createsBefore = 0;
        if (due) {
            inherited = session;
            session.ephemeralsCommitted(basePath, (outcome, paths) -> sweptAfterFailure(session, outcome, paths));
        }
    }

    private void sweptAfterFailure(PinnedSession session, Outcome outcome, @Nullable List<String> paths) {
        if (session.hasEnded() || !due) {
            return;
        }
        if (outcome == Outcome.OK && paths != null) {
            due = false;
            Set<String> known = known(session, paths);
            for (String path : paths) {
                unknown(path, known).ifPresent(name -> delete(session, path, name));
            }
            whenDone.run();
        } else if (outcome == Outcome.UNKNOWN) {
            connected(session);
        } else if (outcome != Outcome.CONNECTION_LOST && outcome != Outcome.SESSION_ENDED) {
            // servers before 3.6 do not support this request: the nodes stay until the session ends
            due = false;
            supported = false;
            LOG.error(
                    "Nodes that session {} may have left in lock folders cannot be found ({}): their locks are blocked until the"
                            + " session ends; close the client of that session",
                    Long.toHexString(session.sessionId()),
                    outcome);
            whenDone.run();
        }
    }

    /** Sweeps once in eight ticks, unless no node has been expected on the session for a long time. */
    public void tick(PinnedSession session) {
        int seats = session.nodes().size();
        if (seats > 0 || !deletions.isEmpty() || session.creates() != createsBefore || mayFindLater(session)) {
            // a recent create may still be executed
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
        if (session.hasEnded() || outcome.isUnknown()) {
            return;
        }
        if (outcome != Outcome.OK || paths == null) {
            notSupported(session, outcome);
            return;
        }
        supported = true;
        Set<String> known = known(session, paths);
        Set<String> unknown = new HashSet<>();
        for (String path : paths) {
            unknown(path, known).ifPresent(name -> {
                unknown.add(path);
                if (suspects.contains(path)) {
                    logFound(session, path);
                    delete(session, path, name);
                }
            });
        }
        suspects = unknown;
    }

    private void notSupported(PinnedSession session, Outcome outcome) {
        if (supported) {
            supported = false;
            LOG.warn(
                    "The servers do not list the nodes of session {} ({}): a node that they create late blocks its lock until"
                            + " the session ends. Use servers of ZooKeeper 3.6 or later",
                    Long.toHexString(session.sessionId()),
                    outcome);
            whenDone.run();
        }
    }

    private void logFound(PinnedSession session, String path) {
        String id = Long.toHexString(session.sessionId());
        if (mayFindLater(session)) {
            LOG.warn(
                    "Node {} of session {} belongs to no seat, probably because a server has executed a request late; deleting it",
                    path,
                    id);
        } else {
            LOG.error(
                    "Node {} of session {} belongs to no seat and blocks its lock; deleting it. This is a bug of zk-lock",
                    path,
                    id);
        }
    }

    /**
     * Returns what the seats on the session are known by, including seats whose deletion is under way: the path if the
     * node is listed by it, and otherwise the id. A create that was executed twice has left another node with the id.
     */
    private Set<String> known(PinnedSession session, List<String> paths) {
        Set<String> listed = new HashSet<>(paths);
        Set<String> known = deletions.ids();
        session.nodes().forEach(node -> {
            String path = node.path();
            known.add(path != null && listed.contains(path) ? path : node.id());
        });
        return known;
    }

    /** Returns the name of a node of this registry that is not among the known ones. */
    private Optional<SeatName> unknown(String path, Set<String> known) {
        return SeatName.parse(path.substring(path.lastIndexOf('/') + 1))
                .filter(name -> ours.test(name.id()) && !known.contains(name.id()) && !known.contains(path));
    }

    private void delete(PinnedSession session, String path, SeatName name) {
        deletions.beginStray(path.substring(0, path.lastIndexOf('/')), name, session, false);
    }
}
