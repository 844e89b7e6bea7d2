package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Connection;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A pinned session of a simulated client, as the engine sees it. Counts the steps that pass here. */
final class SimSession implements WireSession {

    private final SimProcess process;
    private final EngineRun run;
    private final SimClient client;
    private final SimTally tally;
    private final long id;
    /** What each folder may or may not contain, or may have contained, as the answer to a create was lost. */
    private final Map<String, List<String>> inDoubt = new HashMap<>(2);

    /** Nodes that were there when a folder was listed, but not in the list. */
    private final Map<String, Long> overlooked = new HashMap<>(2);

    /** Nodes whose create got no answer, and that were seen in a list which counts. */
    private final Map<String, Long> found = new HashMap<>(2);

    private final IdentityHashMap<Watch, Counted> watches = new IdentityHashMap<>();
    private final IdentityHashMap<TreeWatch, TreeWatch> treeWatches = new IdentityHashMap<>();
    /** Folders whose last check was not answered, so that what is listed does not count. */
    private final Set<String> uncommitted = new HashSet<>(2);

    private boolean frontGoneNow;

    SimSession(SimProcess process, EngineRun run, SimClient client, SimTally tally) {
        this.process = process;
        this.run = run;
        this.client = client;
        this.tally = tally;
        this.id = client.session();
    }

    /** Whether the engine is just being told that the seat in front is gone. */
    boolean isTellingFrontGone() {
        return frontGoneNow;
    }

    SimClient client() {
        return client;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long currentId() {
        return client.session();
    }

    @Override
    public Connection connection() {
        if (!process.ownsClient()) {
            return new Connection(process.hints(), client.timeout(), client.timeout(), null, OptionalLong.empty());
        }
        Connection.Attempt attempt = new Connection.Attempt(
                client.attemptedAt(), OptionalLong.of(client.wallLeadAtAttempt()), client.isFresh());
        return new Connection(
                client.attempts(),
                client.shortestTimeout(),
                client.timeout(),
                attempt,
                OptionalLong.of(client.shortestAttemptedAt()));
    }

    @Override
    public Liveness liveness() {
        return client.liveness();
    }

    @Override
    public boolean isShared() {
        return !process.ownsClient();
    }

    @Override
    public void change(Change change, Reply<Node> reply) {
        transact(
                List.of(change),
                (outcome, done) -> reply.answered(
                        outcome,
                        done == null || done.seats().isEmpty()
                                ? null
                                : done.seats().get(0)));
    }

    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        Kind kind = kindOf(changes);
        if (kind == Kind.CHECK) {
            checkSent(changes);
        } else if (kind == Kind.REPLACE) {
            tally.hit(SimStep.REPLACE_SENT);
        } else {
            changes.forEach(this::sent);
        }
        SimRequest request = request(
                kind,
                kind == Kind.REPLACE
                        ? pathOf(Change.Delete.class, changes)
                        : changes.get(0).path(),
                (Outcome outcome, Transacted done) -> {
                    answered(changes, kind, outcome);
                    // whoever is granted anything by that alone does not know whether its own node is there
                    frontGoneNow = outcome == Outcome.OK && changes.stream().anyMatch(Change.Delete.class::isInstance);
                    reply.answered(outcome, done);
                    frontGoneNow = false;
                });
        request.changes = List.copyOf(changes);
        if (kind == Kind.REPLACE) {
            request.replacement = pathOf(Change.CreateEphemeral.class, changes);
        }
        client.submit(request);
    }

    private static String pathOf(Class<? extends Change> type, List<Change> changes) {
        return changes.stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow()
                .path();
    }

    private static Kind kindOf(List<Change> changes) {
        Change first = changes.get(0);
        if (changes.stream().allMatch(Change.Check.class::isInstance)) {
            return Kind.CHECK;
        } else if (changes.size() == 1) {
            return first instanceof Change.CreateSeat
                    ? Kind.CREATE
                    : first instanceof Change.Delete ? Kind.DELETE : Kind.REWRITE;
        } else if (changes.size() == 2
                && changes.stream().anyMatch(Change.CreateEphemeral.class::isInstance)
                && changes.stream().anyMatch(Change.Delete.class::isInstance)) {
            return Kind.REPLACE;
        }
        return Kind.BATCH;
    }

    private void sent(Change change) {
        if (change instanceof Change.CreateSeat seat) {
            tally.hit(SimStep.CREATE_SENT);
            process.noteSeatAsked();
            process.checkNotThere(seat.path(), overlooked);
            process.checkNoneLeft(seat.path(), found);
        } else if (change instanceof Change.Delete) {
            tally.hit(SimStep.DELETE_SENT);
            if (process.belongsToAnotherSession(change.path(), client.session())) {
                tally.hit(SimStep.DEPARTURE_ON_LATER_SESSION);
            }
        } else if (change instanceof Change.Write) {
            tally.hit(SimStep.DATA_WRITTEN);
        }
    }

    private void answered(List<Change> changes, Kind kind, Outcome outcome) {
        switch (kind) {
            case CHECK -> checked(changes.get(0).path(), outcome);
            case REPLACE -> {
                if (outcome.isUnknown()) {
                    tally.hit(SimStep.REPLACE_IN_DOUBT);
                }
            }
            case BATCH -> {
                if (createsOf(changes) > foldersOfCreates(changes)) {
                    tally.hit(SimStep.SEAT_SHARED_TRANSACTION);
                }
                tally.hit(
                        outcome == Outcome.OK
                                ? SimStep.BATCH_COMMITTED
                                : outcome.isUnknown() ? SimStep.BATCH_IN_DOUBT : SimStep.BATCH_FAILED);
                if (outcome == Outcome.OK || outcome.isUnknown()) {
                    changes.forEach(change -> answered(change, outcome));
                }
            }
            default -> answered(changes.get(0), outcome);
        }
    }

    private static long createsOf(List<Change> changes) {
        return changes.stream().filter(Change.CreateSeat.class::isInstance).count();
    }

    private static long foldersOfCreates(List<Change> changes) {
        return changes.stream()
                .filter(Change.CreateSeat.class::isInstance)
                .map(change -> SimTree.parentOf(change.path()))
                .distinct()
                .count();
    }

    private void answered(Change change, Outcome outcome) {
        if (change instanceof Change.CreateSeat seat) {
            createAnswered(seat.path(), outcome);
        } else if (change instanceof Change.Delete) {
            tally.hit(outcome.isUnknown() ? SimStep.DELETE_IN_DOUBT : SimStep.DELETE_ANSWERED);
        } else if (change instanceof Change.Write && outcome.isUnknown()) {
            tally.hit(SimStep.WRITE_IN_DOUBT);
        }
    }

    private void createAnswered(String path, Outcome outcome) {
        if (outcome == Outcome.OK) {
            tally.hit(SimStep.CREATE_ANSWERED);
        } else if (outcome == Outcome.NO_NODE) {
            tally.hit(SimStep.CREATE_WITHOUT_FOLDER);
        } else if (outcome.isUnknown()) {
            tally.hit(SimStep.CREATE_IN_DOUBT);
            process.noteCreateInDoubt(SimTree.parentOf(path));
            inDoubt.computeIfAbsent(SimTree.parentOf(path), absent -> new ArrayList<>(1))
                    .add(SimTree.nameOf(path));
        }
    }

    private void checkSent(List<Change> changes) {
        String first = changes.get(0).path();
        if (SimSeat.isSeat(SimTree.nameOf(first))) {
            tally.hit(SimStep.RENEWAL_CHECK);
        } else {
            tally.hit(SimStep.RECOVERY_CHECK);
            uncommitted.add(first);
        }
    }

    private void checked(String first, Outcome outcome) {
        if (SimSeat.isSeat(SimTree.nameOf(first)) && outcome == Outcome.NO_NODE) {
            tally.hit(SimStep.RENEWAL_MISSED_NODE);
        }
        if (!outcome.isUnknown()) {
            uncommitted.remove(first);
        }
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        List<BiConsumer<Outcome, List<String>>> listed =
                folders.stream().map(this::listing).toList();
        SimRequest request = request(Kind.LIST_ALL, folders.get(0), (Outcome outcome, List<Listing> found) -> {
            for (int i = 0; i < folders.size(); i++) {
                List<String> children = found == null ? null : found.get(i).children();
                listed.get(i)
                        .accept(
                                found == null ? outcome : found.get(i).outcome(),
                                children == null ? List.of() : children);
            }
            reply.answered(outcome, found);
        });
        request.paths = List.copyOf(folders);
        client.submit(request);
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        if (SimSeat.isSeat(SimTree.nameOf(paths.get(0)))) {
            tally.hit(SimStep.SHORTCUT_READ);
        }
        SimRequest request = request(Kind.EXIST, paths.get(0), reply);
        request.paths = List.copyOf(paths);
        client.submit(request);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        tally.hit(SimStep.FOLDER_MADE);
        client.submit(request(Kind.MAKE_FOLDER, path, reply));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        BiConsumer<Outcome, List<String>> listed = listing(folder);
        client.submit(request(Kind.LIST, folder, (Outcome outcome, List<String> children) -> {
            listed.accept(outcome, children == null ? List.of() : children);
            reply.answered(outcome, children);
        }));
    }

    /** What is to be done with the answer to a listing that is asked for now. */
    private BiConsumer<Outcome, List<String>> listing(String folder) {
        List<String> stems = inDoubt.get(folder);
        if (stems == null) {
            tally.hit(SimStep.QUEUE_LISTED);
            return (outcome, children) -> {};
        }
        tally.hit(SimStep.RECOVERY_LIST);
        Map<String, Long> there = process.nodesOf(folder, stems);
        boolean behindCheck = uncommitted.contains(folder);
        return (outcome, children) -> {
            if ((outcome == Outcome.OK || outcome == Outcome.NO_NODE) && !uncommitted.contains(folder)) {
                looked(folder, there, children, behindCheck);
            }
        };
    }

    private void looked(String folder, Map<String, Long> there, List<String> seen, boolean behindCheck) {
        there.forEach((node, czxid) -> {
            if (seen.contains(node)) {
                overlooked.remove(folder + "/" + node);
                if (behindCheck) {
                    found.put(folder + "/" + node, czxid);
                }
            } else {
                overlooked.put(folder + "/" + node, czxid);
            }
        });
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        if (SimSeat.isSeat(SimTree.nameOf(path)) && frontGoneNow) {
            tally.hit(SimStep.SHORTCUT_READ);
        } else {
            tally.hit(path.equals(process.basePath()) ? SimStep.PROBE_READ : SimStep.NODE_IDENTIFIED);
        }
        client.submit(request(Kind.READ, path, reply));
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        tally.hit(SimStep.FRONT_WATCHED);
        SimRequest request = request(Kind.READ, path, reply);
        request.watch = watches.computeIfAbsent(watch, engines -> new Counted(engines, path));
        client.submit(request);
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        tally.hit(SimStep.TREE_WATCHED);
        SimRequest request = request(Kind.WATCH_TREE, folder, reply);
        request.treeWatch = treeWatches.computeIfAbsent(watch, this::told);
        client.submit(request);
    }

    private TreeWatch told(TreeWatch engines) {
        return (event, path) -> {
            tally.hit(SimStep.TREE_CHANGED);
            toEngine(() -> {
                if (treeWatches.containsKey(engines)) {
                    engines.happened(event, path);
                }
            });
        };
    }

    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        if (treeWatches.remove(watch) != null) {
            client.unwatchTree(folder);
        }
    }

    @Override
    public void unwatch(String path, Watch watch) {
        Counted counted = watches.remove(watch);
        // of two watches of one node the other one stays
        if (counted != null && watches.values().stream().noneMatch(counted::isSameAs)) {
            client.unwatch(path, counted, !process.ownsClient());
        }
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        client.submit(request(Kind.EPHEMERALS, folder, reply));
    }

    @Override
    public void createExpiring(String path, long timeoutNanos, Reply<Long> reply) {
        process.probe(path, timeoutNanos, (outcome, granted) -> {
            if (outcome == Outcome.OK) {
                tally.hit(SimStep.PROBE_CREATED);
            }
            toEngine(() -> reply.answered(outcome, granted));
        });
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        if (path.equals(process.basePath())) {
            tally.hit(SimStep.RENEWAL_SYNC);
        } else {
            tally.hit(SimStep.ASK_SYNC);
        }
        client.submit(request(Kind.SYNC, path, reply));
    }

    @SuppressWarnings("unchecked")
    private <T> SimRequest request(Kind kind, String path, Reply<T> reply) {
        process.trace().note(kind.name(), process.id(), "asked", path);
        return new SimRequest(kind, path, (Outcome outcome, @Nullable Object value) -> {
            process.trace().note(outcome.name(), process.id(), kind, path);
            // the interface says which value comes with which outcome, and the servers keep to it
            toEngine(() -> reply.answered(outcome, (T) value));
        });
    }

    private void toEngine(Runnable task) {
        run.execute(() -> process.errors().enter(process, task));
    }

    /** Delivers an event to the engine's watch. */
    private final class Counted implements Watch {
        private final Watch engines;
        private final String path;

        Counted(Watch engines, String path) {
            this.engines = engines;
            this.path = path;
        }

        boolean isSameAs(Counted other) {
            return path.equals(other.path);
        }

        @Override
        public void happened(Event event) {
            if (watches.remove(engines, this)) {
                frontGoneNow = event == Event.NODE_DELETED;
                tally.hit(event == Event.DATA_CHANGED ? SimStep.FRONT_WROTE : SimStep.FRONT_GONE);
                toEngine(() -> engines.happened(event));
                frontGoneNow = false;
            }
        }
    }
}
