package io.github.zklock.test;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The servers of a cluster in memory: their tree, and the clients that are there. Thread-safe. */
final class MemoryServers {

    static final String BASE_PATH = "/locks";

    private static final long FIRST_SESSION = 0x1000_0000L;

    /** Guards everything below, and the clients. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryTree tree;
    private final Set<MemoryClient> clients = new LinkedHashSet<>();
    /** Those to which something was sent under the lock. */
    private final Set<MemoryClient> addressed = new LinkedHashSet<>();

    private long sessions = FIRST_SESSION;
    private int processes;
    private boolean down;
    private boolean closed;

    MemoryServers() {
        this.tree = new MemoryTree(new MemoryTree.Observer() {
            @Override
            public void node(String path, Event event) {
                clients.forEach(client -> client.tell(path, event));
            }

            @Override
            public void tree(String path, TreeEvent event) {
                clients.forEach(client -> client.tell(path, event));
            }
        });
    }

    /** Carries the request out. What it makes the servers send is delivered afterwards. */
    void carryOut(Consumer<MemoryTree> request) {
        List<MemoryClient> receivers;
        lock.lock();
        try {
            request.accept(tree);
            receivers = List.copyOf(addressed);
            addressed.clear();
        } finally {
            lock.unlock();
        }
        // not under the lock: engines may answer on this thread
        receivers.forEach(MemoryClient::deliver);
    }

    /** Something waits for delivery to this client. */
    void address(MemoryClient client) {
        addressed.add(client);
    }

    /** A name for a process that has none. */
    String nextInstance() {
        lock.lock();
        try {
            processes++;
            return "process-" + processes;
        } finally {
            lock.unlock();
        }
    }

    long nextSession() {
        sessions++;
        return sessions;
    }

    boolean isDown() {
        return down;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the session has a seat in any queue. */
    boolean hasSeats(long session) {
        return tree.ephemerals(session, BASE_PATH).stream()
                .anyMatch(path -> SeatName.parse(path.substring(path.lastIndexOf('/') + 1))
                        .isPresent());
    }

    void join(MemoryClient client) {
        carryOut(nodes -> {
            if (closed) {
                throw new IllegalStateException("The cluster is closed; nobody can join it. Use a new one");
            }
            clients.add(client);
            client.connectionMayHaveChanged();
        });
    }

    /** The client is closed: its session ends if the servers hear of it. */
    void leave(MemoryClient client) {
        clients.remove(client);
    }

    void outage(boolean begins) {
        carryOut(nodes -> {
            down = begins;
            clients.forEach(MemoryClient::connectionMayHaveChanged);
        });
        awaitSettled();
    }

    /** Ends all sessions for good. */
    void close() {
        carryOut(nodes -> {
            closed = true;
            List.copyOf(clients).forEach(MemoryClient::expire);
        });
        awaitSettled();
    }

    /** Has the action carried out as a request when this time is over. */
    void later(long nanos, Runnable action) {
        Executor delayed = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS);
        delayed.execute(() -> carryOut(nodes -> action.run()));
    }

    /** Returns when each client has dealt with all that was sent to it, and with what came of that. */
    void awaitSettled() {
        List<MemoryClient> there;
        lock.lock();
        try {
            there = List.copyOf(clients);
        } finally {
            lock.unlock();
        }
        there.forEach(MemoryClient::awaitSettled);
    }

    /** Deletes the first seat in the queue of a lock. False if there is none. */
    boolean deleteHead(LockName name) {
        String folder = LockFolder.of(BASE_PATH, name);
        boolean[] found = new boolean[1];
        carryOut(nodes -> head(nodes, folder).ifPresent(head -> {
            nodes.delete(head.path());
            found[0] = true;
            clients.stream().filter(client -> client.owns(head.owner())).forEach(MemoryClient::doubt);
        }));
        awaitSettled();
        return found[0];
    }

    private static Optional<Node> head(MemoryTree nodes, String folder) {
        return nodes.children(folder).stream()
                .flatMap(children -> QueueView.of(children).seats().stream())
                .findFirst()
                .map(SeatName::node)
                .flatMap(node -> nodes.read(folder + "/" + node));
    }

    /** How many seats stand in the queue of a lock. */
    int seats(LockName name) {
        lock.lock();
        try {
            return tree.children(LockFolder.of(BASE_PATH, name))
                    .map(children -> QueueView.of(children).size())
                    .orElse(0);
        } finally {
            lock.unlock();
        }
    }

    /** Whether no process is there. The nodes of each go with its session. */
    boolean isEmpty() {
        lock.lock();
        try {
            return clients.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
