package io.github.zklock.test;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The servers of a cluster in memory: their nodes and their clients. Thread-safe. */
final class MemoryServers {

    static final String BASE_PATH = "/locks";

    private static final long FIRST_SESSION = 0x1000_0000L;
    private static final int IDLE_SECONDS = 5;

    /** Guards all fields below, and the clients. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryTree tree;
    private final Set<MemoryClient> clients = new LinkedHashSet<>();
    /** The clients to which a message was sent under the lock. */
    private final Set<MemoryClient> addressed = new LinkedHashSet<>();

    /** Its thread exists only while a task waits for its time. */
    private final ScheduledThreadPoolExecutor timer;

    private long sessions = FIRST_SESSION;
    private int processes;
    private long aheadMillis;
    private boolean down;
    private boolean closed;

    MemoryServers() {
        this.tree = new MemoryTree(
                new MemoryTree.Observer() {
                    @Override
                    public void node(String path, Event event) {
                        clients.forEach(client -> client.tell(path, event));
                    }

                    @Override
                    public void tree(String path, TreeEvent event) {
                        clients.forEach(client -> client.tell(path, event));
                    }
                },
                this::currentTimeMillis);
        this.timer = new ScheduledThreadPoolExecutor(1, task -> Threads.plain(task, "zk-lock-memory-timer"));
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Executes the request. The messages that result are delivered afterwards. */
    void carryOut(Consumer<MemoryTree> request) {
        List<MemoryClient> receivers = List.of();
        lock.lock();
        try {
            request.accept(tree);
        } finally {
            // delivered without the lock: engines may answer on this thread
            if (lock.getHoldCount() == 1) {
                receivers = List.copyOf(addressed);
                addressed.clear();
            }
            lock.unlock();
        }
        if (receivers.isEmpty() || StackProbe.hasRoom()) {
            receivers.forEach(MemoryClient::deliver);
        } else {
            // the caller of one process must not run out of stack in the engine of another process
            List<MemoryClient> left = receivers;
            timer.execute(() -> left.forEach(MemoryClient::deliver));
        }
    }

    /** Marks this client as one with messages to deliver. */
    void address(MemoryClient client) {
        addressed.add(client);
    }

    /** Returns a name for a process without one. */
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

    /** Returns the clock of the servers. To be called under the lock of the servers. */
    long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMillis;
    }

    /** Puts the clock of the servers forward. */
    void advance(Duration time) {
        carryOut(nodes -> aheadMillis = Math.addExact(aheadMillis, time.toMillis()));
    }

    boolean isDown() {
        return down;
    }

    boolean isClosed() {
        return closed;
    }

    void join(MemoryClient client) {
        carryOut(nodes -> {
            if (closed) {
                throw new IllegalStateException("The cluster is closed and cannot be joined; create a new one");
            }
            clients.add(client);
        });
    }

    /** Removes a client whose session has ended. */
    void leave(MemoryClient client) {
        clients.remove(client);
    }

    void outage(boolean begins) {
        carryOut(nodes -> {
            down = begins;
            List.copyOf(clients).forEach(client -> client.connectionMayHaveChanged(nodes));
        });
        awaitSettled();
    }

    /** Ends all sessions and closes the registries. */
    void close() {
        List<MemoryClient> last = there();
        carryOut(nodes -> {
            closed = true;
            // before any node is deleted: no lock must be granted during the close
            last.forEach(MemoryClient::disconnectForGood);
            last.forEach(client -> client.expire(nodes));
        });
        last.forEach(MemoryClient::closeRegistry);
        timer.shutdownNow();
    }

    /** Executes the action as a request when this time is over, unless the returned future is cancelled. */
    Future<?> later(long nanos, Consumer<MemoryTree> action) {
        return timer.schedule(() -> carryOut(action), nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns when each client has handled all messages to it, and the messages that resulted. */
    void awaitSettled() {
        there().forEach(MemoryClient::awaitSettled);
    }

    private List<MemoryClient> there() {
        lock.lock();
        try {
            return List.copyOf(clients);
        } finally {
            lock.unlock();
        }
    }

    /** Deletes the first seat in the queue of a lock. Returns false if there is none. */
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

    /** Returns the number of seats in the queue of a lock. */
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

    /** Returns whether the cluster has no process. The nodes of a process are deleted with its session. */
    boolean isEmpty() {
        lock.lock();
        try {
            return clients.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
