package io.github.zklock.test;

import io.github.zklock.zookeeper.internal.engine.EngineRegistry;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client of one process: its session on the servers in memory, and the messages that they have sent to it. Its
 * state changes under the lock of the servers.
 */
final class MemoryClient implements EngineRegistry.WireMaker {

    /** After this number of rounds, the process is considered never to settle. */
    private static final int MOST_ROUNDS = 1_000;

    private static final int MOST_PAUSES = 200;
    private static final long PAUSE_MILLIS = 50;

    private final MemoryServers servers;
    private final long timeoutNanos;
    /** The messages that the engine has not received yet, in the order of sending. */
    private final Queue<Runnable> sent = new ConcurrentLinkedQueue<>();

    private @Nullable MemorySession session;
    private @Nullable MemoryWire wire;
    /** Ends the session when it is cut off for the session timeout. */
    private @Nullable Future<?> expiry;

    private volatile Runnable close = () -> {};
    private boolean suspended;
    private boolean closed;
    private long requests;

    MemoryClient(MemoryServers servers, long timeoutNanos) {
        this.servers = servers;
        this.timeoutNanos = timeoutNanos;
    }

    /** A session as the servers and its client see it. The client's threads may read it without the lock. */
    static final class MemorySession {

        final long id;
        final long timeoutNanos;
        volatile boolean connected;
        volatile boolean ended;
        /** The number of its latest connection. */
        volatile long connection;
        /** An instant before the attempt that made the latest connection. */
        volatile long attemptedAt;

        MemorySession(long id, long timeoutNanos) {
            this.id = id;
            this.timeoutNanos = timeoutNanos;
        }

        private void connect() {
            attemptedAt = System.nanoTime();
            long latest = connection;
            connection = latest + 1;
            connected = true;
        }
    }

    /** Sets the action by which the cluster closes the registry of this client. */
    void whenClusterCloses(Runnable closing) {
        close = closing;
    }

    void closeRegistry() {
        close.run();
    }

    @Override
    public Wire make(EngineRun run, Executor blocking) {
        MemoryWire made = new MemoryWire(servers, this, run);
        servers.carryOut(nodes -> {
            // answers to the former engine must not reach the new one
            sent.clear();
            wire = made;
        });
        return made;
    }

    /** Returns the session, and creates one if there is none; null if none can exist now. */
    @Nullable MemorySession session() {
        if (session == null && isConnected() && !isClosed()) {
            session = new MemorySession(servers.nextSession(), timeoutNanos);
            session.connect();
        }
        return session;
    }

    boolean isClosed() {
        return closed || servers.isClosed();
    }

    void suspend(boolean begins) {
        servers.carryOut(nodes -> {
            suspended = begins;
            connectionMayHaveChanged(nodes);
        });
        servers.awaitSettled();
    }

    /** Ends the session, as if the servers had received no heartbeat for the session timeout. */
    void loseSession() {
        servers.carryOut(this::expire);
        servers.awaitSettled();
    }

    /** Ends the session and deletes its nodes. A client that is not closed starts another session. */
    void expire(MemoryTree nodes) {
        MemorySession ending = session;
        session = null;
        cancelExpiry();
        if (ending != null) {
            ending.connected = false;
            ending.ended = true;
        }
        // this process is notified before the processes that wait for its locks
        hint();
        if (ending != null) {
            nodes.deleteEphemerals(ending.id);
        }
        if (isClosed()) {
            servers.leave(this);
        }
    }

    /** Disconnects the session: from now on, this process is granted no lock. */
    void disconnectForGood() {
        MemorySession current = session;
        if (current != null) {
            current.connected = false;
        }
    }

    /**
     * Ends the session of a process that no longer needs it. If the process is cut off, its nodes remain until the
     * session timeout is over.
     */
    void close(MemoryTree nodes) {
        closed = true;
        if (session == null || session.connected) {
            expire(nodes);
        }
    }

    void connectionMayHaveChanged(MemoryTree nodes) {
        MemorySession current = session;
        if (current != null && current.connected != isConnected()) {
            if (current.connected) {
                disconnect(current);
            } else if (closed) {
                expire(nodes);
            } else {
                cancelExpiry();
                current.connect();
            }
        }
        hint();
    }

    private void disconnect(MemorySession current) {
        current.connected = false;
        tellMissed();
        expiry = servers.later(current.timeoutNanos, nodes -> {
            if (session == current && !current.connected) {
                expire(nodes);
            }
        });
    }

    private void cancelExpiry() {
        if (expiry != null) {
            expiry.cancel(false);
            expiry = null;
        }
    }

    /** Breaks and renews the connection, so that the process checks whether its nodes still exist. */
    void doubt() {
        MemorySession current = session;
        if (current != null && current.connected) {
            tellMissed();
            current.connect();
            hint();
        }
    }

    private boolean isConnected() {
        return !suspended && !servers.isDown();
    }

    boolean owns(long owner) {
        return session != null && session.id == owner;
    }

    /** Counts a request of this client. */
    void asked() {
        requests++;
    }

    void tell(String path, Event event) {
        MemoryWire reached = reachable();
        if (reached != null) {
            reached.happened(path, event);
        }
    }

    void tell(String path, TreeEvent event) {
        MemoryWire reached = reachable();
        if (reached != null) {
            reached.happened(path, event);
        }
    }

    private @Nullable MemoryWire reachable() {
        return session != null && session.connected ? wire : null;
    }

    private void tellMissed() {
        if (wire != null) {
            wire.connectionLost();
        }
    }

    private void hint() {
        if (wire != null) {
            send(wire.hint());
        }
    }

    /** Sends a message. To be called under the lock, so that messages arrive in the order of sending. */
    void send(Runnable message) {
        sent.add(message);
        servers.address(this);
    }

    void deliver() {
        MemoryWire receiver = wire;
        if (receiver != null) {
            receiver.run().execute(this::receive);
        }
    }

    private void receive() {
        for (Runnable message = sent.poll(); message != null; message = sent.poll()) {
            message.run();
        }
    }

    /** Returns when all sent messages have arrived and the engine sends no further request. */
    void awaitSettled() {
        try {
            long before;
            int rounds = 0;
            do {
                before = requests();
            } while (awaitArrival() && requests() != before && ++rounds < MOST_ROUNDS);
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the arrival of all sent messages. Returns false if there is no receiver. */
    private boolean awaitArrival() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        servers.carryOut(nodes -> send(arrived::countDown));
        for (int pauses = 0; wire != null && pauses < MOST_PAUSES; pauses++) {
            if (arrived.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            // sent again: if the engine fails in the meantime, only the next engine receives the message
            servers.carryOut(nodes -> send(arrived::countDown));
        }
        return false;
    }

    private long requests() {
        long[] seen = new long[1];
        servers.carryOut(nodes -> seen[0] = requests);
        return seen[0];
    }
}
