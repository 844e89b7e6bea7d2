package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One server's copy of the tree and of the sessions, after the transactions that it has applied. */
final class SimTree {

    /** A node of one server's tree. */
    static final class Entry {
        final String path;
        final long czxid;
        final long owner;
        final long createdMillis;
        final Set<String> children = new HashSet<>(4);
        byte[] data;
        long mzxid;
        long pzxid;
        final SimCounter counter = new SimCounter();

        Entry(String path, long czxid, long owner, byte[] data, long createdMillis) {
            this.path = path;
            this.czxid = czxid;
            this.owner = owner;
            this.createdMillis = createdMillis;
            this.data = data;
            this.mzxid = czxid;
            this.pzxid = czxid;
        }
    }

    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<Long, Set<String>> sessions = new LinkedHashMap<>();
    /** As they were granted when the sessions were opened: a new leader knows no others. */
    private final Map<Long, Long> timeouts = new HashMap<>();

    private long zxid;
    private int applied;

    SimTree() {
        entries.put("", new Entry("", 0, 0, SimRequest.NO_DATA, 0));
    }

    long zxid() {
        return zxid;
    }

    /** How many transactions of the log it has seen. */
    int applied() {
        return applied;
    }

    Set<Long> sessions() {
        return sessions.keySet();
    }

    List<String> ephemerals(long session, String folder) {
        return sessions.getOrDefault(session, Set.of()).stream()
                .filter(path -> path.startsWith(folder))
                .toList();
    }

    long timeoutOf(long session) {
        return timeouts.get(session);
    }

    /** The nodes of a session. */
    Set<String> ownedBy(long session) {
        return sessions.getOrDefault(session, Set.of());
    }

    @Nullable Entry entry(String path) {
        return entries.get(path);
    }

    /** The nodes of this folder whose names begin so, with their czxids: a folder that is made again repeats names. */
    Map<String, Long> childrenLike(String folder, List<String> stems) {
        Entry entry = entries.get(folder);
        return entry == null
                ? Map.of()
                : entry.children.stream()
                        .filter(child -> stems.stream().anyMatch(child::startsWith))
                        .collect(Collectors.toMap(child -> child, child -> entries.get(folder + "/" + child).czxid));
    }

    /** What becomes of the proposal now. Changes nothing. */
    SimTxn resolve(SimProposal proposal) {
        SimRequest request = proposal.request;
        if (proposal.verdict != null) {
            return outcome(proposal, proposal.verdict, null, List.of());
        }
        return switch (request.kind) {
            case CREATE, DELETE, CHECK, REWRITE, REPLACE, BATCH -> transact(proposal, request.changes);
            case MAKE_FOLDER -> makeFolder(proposal, request);
            case COLLECT -> collect(proposal, request);
            case COUNT -> count(proposal, request);
            case OPEN_SESSION ->
                new SimTxn(
                        proposal.zxid,
                        proposal.session,
                        proposal.origin,
                        request,
                        Outcome.OK,
                        null,
                        List.of(),
                        proposal.session,
                        0,
                        proposal);
            case CLOSE_SESSION -> closeSession(proposal, request);
            default -> throw new IllegalStateException("No transaction: " + request.kind);
        };
    }

    void apply(SimTxn txn) {
        zxid = txn.zxid();
        applied++;
        if (txn.opened() != 0) {
            sessions.put(txn.opened(), new LinkedHashSet<>());
            timeouts.put(txn.opened(), txn.request().timeout);
        }
        for (SimTxn.Change change : txn.changes()) {
            apply(change, txn);
        }
        if (txn.closed() != 0) {
            sessions.remove(txn.closed());
        }
    }

    private void apply(SimTxn.Change change, SimTxn txn) {
        long at = txn.zxid();
        if (change instanceof SimTxn.Change.Created created) {
            Entry entry = new Entry(created.path(), at, created.owner(), created.data(), txn.proposal().millis);
            Entry parent = entries.get(parentOf(created.path()));
            parent.children.add(nameOf(created.path()));
            if (parent.counter.created(txn)) {
                parent.pzxid = at;
            }
            entries.put(created.path(), entry);
            if (created.owner() != 0) {
                sessions.get(created.owner()).add(created.path());
            }
        } else if (change instanceof SimTxn.Change.Deleted deleted) {
            Entry gone = entries.remove(deleted.path());
            Entry parent = entries.get(parentOf(deleted.path()));
            parent.children.remove(nameOf(deleted.path()));
            parent.counter.deleted(txn);
            parent.pzxid = at;
            Set<String> owned = sessions.get(gone.owner);
            if (owned != null) {
                owned.remove(deleted.path());
            }
        } else if (change instanceof SimTxn.Change.Rewritten rewritten) {
            Entry entry = entries.get(rewritten.path());
            entry.data = rewritten.data();
            entry.mzxid = at;
        } else if (change instanceof SimTxn.Change.Counted counted) {
            entries.get(counted.path()).counter.raiseTo(counted.creates());
        }
    }

    /** All changes or none, each after those before it: PrepRequestProcessor.pRequest2Txn. */
    private SimTxn transact(SimProposal proposal, List<Change> wanted) {
        SimDraft draft = new SimDraft(this, proposal);
        for (int i = 0; i < wanted.size(); i++) {
            Outcome outcome = draft.add(wanted.get(i));
            if (outcome != Outcome.OK) {
                return outcome(proposal, outcome, Transacted.failed(i), List.of());
            }
        }
        return outcome(proposal, Outcome.OK, Transacted.created(draft.seats()), draft.changes());
    }

    private SimTxn makeFolder(SimProposal proposal, SimRequest request) {
        List<SimTxn.Change> changes = new ArrayList<>(2);
        for (int end = request.path.indexOf('/', 1); end >= 0; end = request.path.indexOf('/', end + 1)) {
            createIfAbsent(request.path.substring(0, end), changes);
        }
        createIfAbsent(request.path, changes);
        return outcome(proposal, Outcome.OK, null, changes);
    }

    private void createIfAbsent(String path, List<SimTxn.Change> changes) {
        if (!entries.containsKey(path)) {
            changes.add(new SimTxn.Change.Created(path, 0, SimRequest.NO_DATA));
        }
    }

    /** A container is collected only when it is empty after having had children. */
    private SimTxn collect(SimProposal proposal, SimRequest request) {
        Entry entry = entries.get(request.path);
        return entry != null && entry.children.isEmpty() && entry.counter.hasCounted()
                ? outcome(proposal, Outcome.OK, null, List.of(new SimTxn.Change.Deleted(request.path)))
                : outcome(proposal, Outcome.REFUSED, null, List.of());
    }

    private SimTxn count(SimProposal proposal, SimRequest request) {
        return entries.containsKey(request.path)
                ? outcome(proposal, Outcome.OK, null, List.of(new SimTxn.Change.Counted(request.path, request.creates)))
                : outcome(proposal, Outcome.NO_NODE, null, List.of());
    }

    private SimTxn closeSession(SimProposal proposal, SimRequest request) {
        Set<String> owned = sessions.get(proposal.session);
        List<SimTxn.Change> changes = new ArrayList<>();
        if (owned != null) {
            owned.forEach(path -> changes.add(new SimTxn.Change.Deleted(path)));
        }
        return new SimTxn(
                proposal.zxid,
                proposal.session,
                proposal.origin,
                request,
                Outcome.OK,
                null,
                changes,
                0,
                proposal.session,
                proposal);
    }

    private static SimTxn outcome(
            SimProposal proposal, Outcome outcome, @Nullable Object value, List<SimTxn.Change> changes) {
        return new SimTxn(
                proposal.zxid,
                proposal.session,
                proposal.origin,
                proposal.request,
                outcome,
                value,
                changes,
                0,
                0,
                proposal);
    }

    static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
