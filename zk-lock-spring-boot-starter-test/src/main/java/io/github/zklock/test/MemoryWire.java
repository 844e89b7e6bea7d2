package io.github.zklock.test;

import io.github.zklock.test.MemoryClient.MemorySession;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Connection;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection of an engine to the servers in memory. Each request is executed when it is sent. */
final class MemoryWire implements Wire {

    private record Answer<T>(Outcome outcome, @Nullable T value) {
        static <T> Answer<T> ok(@Nullable T value) {
            return new Answer<>(Outcome.OK, value);
        }
    }

    private final MemoryServers servers;
    private final MemoryClient client;
    private final EngineRun run;
    private final Map<String, List<WireSession.Watch>> watches = new HashMap<>();
    private final Map<WireSession.TreeWatch, String> trees = new LinkedHashMap<>();
    private Runnable hint = () -> {};

    MemoryWire(MemoryServers servers, MemoryClient client, EngineRun run) {
        this.servers = servers;
        this.client = client;
        this.run = run;
    }

    EngineRun run() {
        return run;
    }

    Runnable hint() {
        return hint;
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        servers.carryOut(nodes -> {
            client.asked();
            MemorySession session = client.session();
            Pin pin;
            if (client.isClosed()) {
                pin = new Pin.Closed();
            } else if (session == null || !session.connected) {
                pin = new Pin.NotYet("this process is cut off from the cluster");
            } else {
                pin = new Pin.Pinned(new Pinned(session));
            }
            client.send(() -> answer.accept(pin));
        });
    }

    @Override
    public void onHint(Runnable action) {
        servers.carryOut(nodes -> hint = action);
    }

    @Override
    public void leave() {
        servers.carryOut(nodes -> {
            hint = () -> {};
            watches.clear();
            trees.clear();
        });
    }

    @Override
    public void close() {
        leave();
        servers.carryOut(client::close);
    }

    /** To be called under the lock of the servers. */
    void happened(String path, WireSession.Event event) {
        List<WireSession.Watch> due = watches.remove(path);
        if (due != null) {
            due.forEach(watch -> client.send(() -> watch.happened(event)));
        }
    }

    /** To be called under the lock of the servers. */
    void happened(String path, WireSession.TreeEvent event) {
        trees.forEach((watch, folder) -> {
            if (MemoryTree.isBelow(path, folder)) {
                client.send(() -> watch.happened(event, path));
            }
        });
    }

    /** To be called under the lock of the servers. */
    void connectionLost() {
        watches.values()
                .forEach(due -> due.forEach(watch -> client.send(() -> watch.happened(WireSession.Event.OTHER))));
        watches.clear();
        trees.keySet().forEach(watch -> client.send(() -> watch.happened(WireSession.TreeEvent.MISSED, "")));
    }

    private final class Pinned implements WireSession {

        private final MemorySession session;

        Pinned(MemorySession session) {
            this.session = session;
        }

        @Override
        public long id() {
            return session.id;
        }

        @Override
        public long currentId() {
            return session.id;
        }

        @Override
        public Connection connection() {
            OptionalLong after = OptionalLong.of(session.attemptedAt);
            Connection.Attempt attempt =
                    new Connection.Attempt(session.attemptedAt, OptionalLong.empty(), session.connection == 1);
            return new Connection(session.connection, session.timeoutNanos, session.timeoutNanos, attempt, after);
        }

        @Override
        public boolean isKnownToLive() {
            return true;
        }

        @Override
        public Liveness liveness() {
            if (session.ended) {
                return Liveness.ENDED;
            }
            return session.connected ? Liveness.CONNECTED : Liveness.DISCONNECTED;
        }

        /** Executes a request and sends the answer. */
        private <T> void request(Reply<T> reply, Function<MemoryTree, Answer<T>> carriedOut) {
            servers.carryOut(nodes -> {
                client.asked();
                Answer<T> answer;
                if (session.ended) {
                    answer = new Answer<>(Outcome.SESSION_ENDED, null);
                } else if (!session.connected) {
                    answer = new Answer<>(Outcome.CONNECTION_LOST, null);
                } else {
                    answer = carriedOut.apply(nodes);
                }
                client.send(() -> reply.answered(answer.outcome(), answer.value()));
            });
        }

        @Override
        public void change(Change change, Reply<Node> reply) {
            request(reply, nodes -> {
                List<Answer<Node>> answer = new ArrayList<>(1);
                nodes.change(session.id, change, (outcome, node) -> answer.add(new Answer<>(outcome, node)));
                return answer.get(0);
            });
        }

        @Override
        public void transact(List<Change> changes, Reply<Transacted> reply) {
            request(reply, nodes -> {
                List<Answer<Transacted>> answer = new ArrayList<>(1);
                nodes.transact(session.id, changes, (outcome, done) -> answer.add(new Answer<>(outcome, done)));
                return answer.get(0);
            });
        }

        @Override
        public void makeFolder(String path, Reply<Void> reply) {
            request(reply, nodes -> {
                nodes.makeFolder(path);
                return Answer.ok(null);
            });
        }

        @Override
        public void list(String folder, Reply<List<String>> reply) {
            request(
                    reply,
                    nodes -> nodes.children(folder)
                            .map(Answer::ok)
                            .orElseGet(() -> new Answer<>(Outcome.NO_NODE, null)));
        }

        @Override
        public void listAll(List<String> folders, Reply<List<Listing>> reply) {
            request(
                    reply,
                    nodes -> Answer.ok(folders.stream()
                            .map(folder -> nodes.children(folder)
                                    .map(children -> new Listing(Outcome.OK, children))
                                    .orElseGet(() -> new Listing(Outcome.NO_NODE, null)))
                            .toList()));
        }

        @Override
        public void exist(List<String> paths, Reply<List<Boolean>> reply) {
            request(reply, nodes -> Answer.ok(paths.stream().map(nodes::exists).toList()));
        }

        @Override
        public void read(String path, Reply<Node> reply) {
            request(
                    reply,
                    nodes -> nodes.read(path).map(Answer::ok).orElseGet(() -> new Answer<>(Outcome.NO_NODE, null)));
        }

        @Override
        public void readWatching(String path, Watch watch, Reply<Node> reply) {
            request(
                    reply,
                    nodes -> nodes.read(path)
                            .map(node -> {
                                watches.computeIfAbsent(path, absent -> new ArrayList<>())
                                        .add(watch);
                                return Answer.ok(node);
                            })
                            .orElseGet(() -> new Answer<>(Outcome.NO_NODE, null)));
        }

        @Override
        public void unwatch(String path, Watch watch) {
            servers.carryOut(nodes -> watches.computeIfPresent(path, (same, there) -> {
                there.remove(watch);
                return there.isEmpty() ? null : there;
            }));
        }

        @Override
        public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
            request(reply, nodes -> {
                trees.put(watch, folder);
                return Answer.ok(null);
            });
        }

        @Override
        public void unwatchTree(String folder, TreeWatch watch) {
            servers.carryOut(nodes -> trees.remove(watch));
        }

        @Override
        public void ephemerals(String folder, Reply<List<String>> reply) {
            request(reply, nodes -> Answer.ok(nodes.ephemerals(session.id, folder)));
        }

        @Override
        public void sync(String path, Reply<Void> reply) {
            request(reply, nodes -> Answer.ok(null));
        }
    }
}
