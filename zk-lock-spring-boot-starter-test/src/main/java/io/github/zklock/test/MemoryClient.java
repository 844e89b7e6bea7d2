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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client of one process: its session on the servers in memory, and what they have sent to it. Its state changes under the
 * servers' lock.
 */
final class MemoryClient implements EngineRegistry.WireMaker {

    private static final long LONGEST_SETTLING_SECONDS = 10;

    private final MemoryServers servers;
    private final long timeoutNanos;
    /** What the engine has not received yet, in the order of sending. */
    private final Queue<Runnable> sent = new ConcurrentLinkedQueue<>();

    private @Nullable MemorySession session;
    private @Nullable MemoryWire wire;
    private boolean suspended;
    private boolean closed;
    private long requests;

    MemoryClient(MemoryServers servers, long timeoutNanos) {
        this.servers = servers;
        this.timeoutNanos = timeoutNanos;
    }

    /** A session as the servers and its client know it. The client's threads may read it without the lock. */
    static final class MemorySession {

        final long id;
        final long timeoutNanos;
        volatile boolean connected;
        volatile boolean ended;
        /** The number of its latest connection. */
        volatile long connection;
        /** An instant before the latest connection was attempted. */
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

    @Override
    public Wire make(EngineRun run, Executor blocking) {
        MemoryWire made = new MemoryWire(servers, this, run);
        servers.carryOut(nodes -> wire = made);
        return made;
    }

    /** The session, made if there is none; null if there can be none now. */
    @Nullable MemorySession session() {
        if (session == null && isConnected() && !closed) {
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
            connectionMayHaveChanged();
        });
        awaitSettled();
    }

    /** Ends the session, as if the servers had not heard of it for too long. */
    void loseSession() {
        servers.carryOut(nodes -> expire());
        awaitSettled();
    }

    /** Ends the session with its nodes. A client that is not closed begins another one. */
    void expire() {
        MemorySession ending = session;
        session = null;
        if (ending != null) {
            ending.connected = false;
            ending.ended = true;
            // its process is told before those who wait for it
            hint();
            servers.carryOut(nodes -> nodes.deleteEphemerals(ending.id));
        }
        if (isClosed()) {
            servers.leave(this);
        }
    }

    /** The process has no use for its session any more. One that is cut off keeps its nodes until its time is over. */
    void close() {
        closed = true;
        if (session == null || session.connected) {
            expire();
        }
    }

    void connectionMayHaveChanged() {
        MemorySession current = session;
        if (current != null && current.connected != isConnected()) {
            if (current.connected) {
                disconnect(current);
            } else if (closed || !servers.hasSeats(current.id)) {
                // an engine trusts a session that it begins at once, and one that was cut off only after a time
                expire();
            } else {
                current.connect();
            }
        }
        hint();
    }

    private void disconnect(MemorySession current) {
        current.connected = false;
        long connection = current.connection;
        tellMissed();
        servers.later(current.timeoutNanos, () -> {
            if (session == current && !current.connected && current.connection == connection) {
                expire();
            }
        });
    }

    /** Has the process look for itself whether its nodes are there: its connection is lost and made again. */
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

    /** Takes note of a request of this client. */
    void asked() {
        requests++;
    }

    void tell(String path, Event event) {
        if (wire != null && session != null && session.connected) {
            wire.happened(path, event);
        }
    }

    void tell(String path, TreeEvent event) {
        if (wire != null && session != null && session.connected) {
            wire.happened(path, event);
        }
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

    /** Under the lock: what is sent first arrives first. */
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

    /** Returns when all that was sent has arrived, and the engine asks for nothing more. */
    void awaitSettled() {
        try {
            long before;
            do {
                before = requests();
                CountDownLatch arrived = new CountDownLatch(1);
                servers.carryOut(nodes -> send(arrived::countDown));
                if (!arrived.await(LONGEST_SETTLING_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } while (requests() != before);
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
    }

    private long requests() {
        long[] seen = new long[1];
        servers.carryOut(nodes -> seen[0] = requests);
        return seen[0];
    }
}
