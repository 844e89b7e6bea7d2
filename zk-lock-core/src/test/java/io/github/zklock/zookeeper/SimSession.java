package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
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
import org.jspecify.annotations.Nullable;

/** A pinned session of a simulated client, as the engine sees it. Counts the steps that pass here. */
final class SimSession implements WireSession {

    private final SimProcess process;
    private final EngineRun run;
    private final SimClient client;
    private final SimTally tally;
    private final long id;
    /** What each folder may or may not contain, as the answer to a create was lost. */
    private final Map<String, List<String>> inDoubt = new HashMap<>(2);

    /** Nodes that were there when a folder was listed, but not in the list. */
    private final Set<String> overlooked = new HashSet<>(2);

    private final IdentityHashMap<Watch, Counted> watches = new IdentityHashMap<>();
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
    public long timeoutNanos() {
        return process.ownsClient() ? client.shortestTimeout() : client.timeout();
    }

    @Override
    public long connectionNumber() {
        return process.ownsClient() ? client.attempts() : process.hints();
    }

    @Override
    public OptionalLong attemptedAfterNanos() {
        return process.ownsClient() ? OptionalLong.of(client.attemptedAt()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong wallLeadAtAttemptNanos() {
        return process.ownsClient() ? OptionalLong.of(client.wallLeadAtAttempt()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong shortenedAfterNanos() {
        return process.ownsClient() ? OptionalLong.of(client.shortestAttemptedAt()) : OptionalLong.empty();
    }

    @Override
    public boolean isFresh() {
        return process.ownsClient() && client.isFresh();
    }

    @Override
    public Liveness liveness() {
        return client.liveness();
    }

    @Override
    public void create(String path, byte[] data, Reply<Node> reply) {
        tally.hit(SimStep.CREATE_SENT);
        process.noteSeatAsked();
        process.checkNotThere(path, overlooked);
        String folder = SimTree.parentOf(path);
        SimRequest request = request(Kind.CREATE, path, (Outcome outcome, Node node) -> {
            if (outcome == Outcome.OK) {
                tally.hit(SimStep.CREATE_ANSWERED);
            } else if (outcome == Outcome.NO_NODE) {
                tally.hit(SimStep.CREATE_WITHOUT_FOLDER);
            } else if (outcome.isUnknown()) {
                tally.hit(SimStep.CREATE_IN_DOUBT);
                process.noteCreateInDoubt();
                inDoubt.computeIfAbsent(folder, absent -> new ArrayList<>(1)).add(SimTree.nameOf(path));
            }
            reply.answered(outcome, node);
        });
        request.data = data;
        client.submit(request);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        tally.hit(SimStep.FOLDER_MADE);
        client.submit(request(Kind.MAKE_FOLDER, path, reply));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        List<String> stems = inDoubt.remove(folder);
        if (stems == null) {
            tally.hit(SimStep.QUEUE_LISTED);
            client.submit(request(Kind.LIST, folder, reply));
        } else {
            tally.hit(SimStep.RECOVERY_LIST);
            Set<String> there = process.nodesOf(folder, stems);
            client.submit(request(Kind.LIST, folder, (Outcome outcome, List<String> children) -> {
                if ((outcome == Outcome.OK || outcome == Outcome.NO_NODE) && !uncommitted.contains(folder)) {
                    looked(folder, there, children == null ? List.of() : children);
                } else {
                    inDoubt.put(folder, stems);
                }
                reply.answered(outcome, children);
            }));
        }
    }

    private void looked(String folder, Set<String> there, List<String> seen) {
        for (String node : there) {
            if (seen.contains(node)) {
                overlooked.remove(folder + "/" + node);
            } else {
                overlooked.add(folder + "/" + node);
            }
        }
    }

    @Override
    public void listWatching(String folder, Watch watch, Reply<List<String>> reply) {
        tally.hit(SimStep.FOLDER_WATCHED);
        SimRequest request = request(Kind.LIST, folder, reply);
        request.watch = watches.computeIfAbsent(watch, engines -> new Counted(engines, folder, true));
        request.watchesChildren = true;
        client.submit(request);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        if (frontGoneNow) {
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
        request.watch = watches.computeIfAbsent(watch, engines -> new Counted(engines, path, false));
        client.submit(request);
    }

    @Override
    public void unwatch(String path, Watch watch) {
        Counted counted = watches.remove(watch);
        // of two watches of one node the other one stays
        if (counted != null && watches.values().stream().noneMatch(counted::isSameAs)) {
            client.unwatch(path, counted, counted.folder(), !process.ownsClient());
        }
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        tally.hit(SimStep.DELETE_SENT);
        if (process.belongsToAnotherSession(path, client.session())) {
            tally.hit(SimStep.DEPARTURE_ON_LATER_SESSION);
        }
        client.submit(request(Kind.DELETE, path, (Outcome outcome, Void none) -> {
            tally.hit(outcome.isUnknown() ? SimStep.DELETE_IN_DOUBT : SimStep.DELETE_ANSWERED);
            // whoever is granted anything by that alone does not know whether its own node is there
            frontGoneNow = outcome == Outcome.OK;
            reply.answered(outcome, null);
            frontGoneNow = false;
        }));
    }

    @Override
    public void deleteAll(List<String> paths, List<String> others, Reply<Integer> reply) {
        SimRequest request = request(Kind.DELETE_ALL, paths.get(0), (Outcome outcome, Integer missing) -> {
            if (outcome == Outcome.OK) {
                tally.hit(paths.size() == 1 ? SimStep.PASSED_ON : SimStep.PASSED_ON_TOGETHER);
                if (others.isEmpty()) {
                    tally.hit(SimStep.LAST_TOOK_ALL_ALONG);
                }
            } else if (outcome.isUnknown()) {
                tally.hit(SimStep.PASSED_ON_IN_DOUBT);
            } else if (outcome == Outcome.NO_NODE) {
                tally.hit(missing < paths.size() ? SimStep.PASSED_ON_AFTER_ALL : SimStep.HEIR_MISSING);
            }
            reply.answered(outcome, missing);
        });
        request.paths = List.copyOf(paths);
        request.others = List.copyOf(others);
        client.submit(request);
    }

    @Override
    public void write(String path, byte[] data, Reply<Void> reply) {
        tally.hit(SimStep.DATA_WRITTEN);
        SimRequest request = request(Kind.REWRITE, path, (Outcome outcome, Void none) -> {
            if (outcome.isUnknown()) {
                tally.hit(SimStep.WRITE_IN_DOUBT);
            }
            reply.answered(outcome, null);
        });
        request.data = data;
        client.submit(request);
    }

    @Override
    public void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        tally.hit(SimStep.REPLACE_SENT);
        SimRequest request = request(Kind.REPLACE, path, (Outcome outcome, Void none) -> {
            if (outcome.isUnknown()) {
                tally.hit(SimStep.REPLACE_IN_DOUBT);
            }
            reply.answered(outcome, null);
        });
        request.replacement = replacement;
        request.data = data;
        client.submit(request);
    }

    @Override
    public void check(List<String> paths, Reply<Integer> reply) {
        String first = paths.get(0);
        boolean renewal = SimSeat.isSeat(SimTree.nameOf(first));
        if (renewal) {
            tally.hit(SimStep.RENEWAL_CHECK);
        } else {
            tally.hit(SimStep.RECOVERY_CHECK);
            uncommitted.add(first);
        }
        SimRequest request = request(Kind.CHECK, first, (Outcome outcome, Integer missing) -> {
            if (renewal && outcome == Outcome.NO_NODE) {
                tally.hit(SimStep.RENEWAL_MISSED_NODE);
            }
            if (!outcome.isUnknown()) {
                uncommitted.remove(first);
            }
            reply.answered(outcome, missing);
        });
        request.paths = List.copyOf(paths);
        client.submit(request);
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        client.submit(request(Kind.EPHEMERALS, folder, reply));
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
        private final boolean folder;

        Counted(Watch engines, String path, boolean folder) {
            this.engines = engines;
            this.path = path;
            this.folder = folder;
        }

        boolean isSameAs(Counted other) {
            return folder == other.folder && path.equals(other.path);
        }

        boolean folder() {
            return folder;
        }

        @Override
        public void happened(Event event) {
            if (!watches.remove(engines, this)) {
                return;
            }
            if (folder) {
                tally.hit(SimStep.FOLDER_CHANGED);
                toEngine(() -> engines.happened(event));
            } else {
                frontGoneNow = event == Event.NODE_DELETED;
                tally.hit(event == Event.DATA_CHANGED ? SimStep.FRONT_WROTE : SimStep.FRONT_GONE);
                toEngine(() -> engines.happened(event));
                frontGoneNow = false;
            }
        }
    }
}
