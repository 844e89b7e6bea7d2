package io.github.zklock.test;

import io.github.zklock.LockRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.server.ClientCnxnLimitException;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * A real ZooKeeper server in this JVM, for tests. It has a free port of the loopback interface and a folder of its own.
 * It runs from its construction until it is closed. Thread-safe.
 *
 * <p>The methods change the server at once. Its clients detect the change later, as in production. Wait for their
 * state, for example for {@code handle.state()}.
 *
 * <p>Not for production: the server does not sync data to the disk, and every client has all permissions.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 100;
    private static final int MIN_SESSION_MILLIS = 2 * TICK_MILLIS;
    private static final int MAX_SESSION_MILLIS = 600_000;

    static {
        // read once, when the first server class is loaded: tests need no protection against a power failure
        defaultProperty("zookeeper.forceSync", "no");
        defaultProperty("zookeeper.preAllocSize", "256");
        // a failed server must fail its test, but not end the JVM of all tests
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
    }

    private final Path directory;
    // kept over restarts: another program could take a port that is not open for a moment
    private final NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
    private volatile boolean severed;
    // guards: server, closed
    private final ReentrantLock lock = new ReentrantLock();
    private Server server;
    private boolean closed;

    /** Starts a server. */
    public EmbeddedZooKeeper() {
        try {
            directory = Files.createTempDirectory("zk-lock-embedded");
            connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0, -1, false);
            server = started();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded ZooKeeper server cannot start", e);
        }
    }

    /** Returns the host and the port as a connect string. It never changes. */
    public String connectString() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + connections.getLocalPort();
    }

    /**
     * Ends the session of this registry, as if the server had received no heartbeat for the session timeout. The
     * registry loses its locks.
     *
     * @throws IllegalStateException if the registry has no session, or a session of another server
     */
    public void expireSession(LockRegistry registry) {
        String session = registry.inspector().session().id();
        if (session.isEmpty()) {
            throw new IllegalStateException(
                    registry + " has no session that could expire; acquire a lock before, or wait for its connection");
        }
        expire(Long.parseUnsignedLong(session, 16), registry);
    }

    /**
     * Ends the session of this client, as if the server had received no heartbeat for the session timeout.
     *
     * @throws IllegalStateException if the client has no session, or a session of another server
     */
    public void expireSession(CuratorFramework client) {
        expire(sessionOf(client), client);
    }

    /** Ends the sessions of all clients. */
    public void expireSessions() {
        run(() -> server.getSessionTracker().globalSessions().forEach(server::expire));
    }

    /** Returns the number of live sessions. */
    public int sessions() {
        lock.lock();
        try {
            return server.getSessionTracker().globalSessions().size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes all connections and rejects new ones until {@link #heal()}. The server itself keeps running. Sessions
     * expire if this lasts longer than their timeout. No effect if already severed.
     */
    public void sever() {
        run(() -> {
            // in this order: a connection that is accepted before the flag is set is among the connections that are
            // closed
            severed = true;
            connections.closeAll(DisconnectReason.CONNECTION_CLOSE_FORCED);
        });
    }

    /** Accepts connections again. No effect if not severed. */
    public void heal() {
        severed = false;
    }

    /**
     * Stops the server and starts it again with its data. A session survives if its client reconnects within the
     * session timeout, which starts again. A severed server remains severed.
     */
    public void restart() {
        run(() -> {
            connections.closeAll(DisconnectReason.SERVER_SHUTDOWN);
            server.shutdown();
            server = started();
        });
    }

    /** Stops the server and deletes its folder. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                // also stops the server
                connections.shutdown();
                deleteDirectory();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "EmbeddedZooKeeper[" + connectString() + (severed ? ", severed" : "") + "]";
    }

    private void expire(long session, Object client) {
        run(() -> {
            if (!server.getSessionTracker().globalSessions().contains(session)) {
                throw new IllegalStateException(
                        "Session 0x%x of %s is not one of %s; it has expired already, or belongs to another server"
                                .formatted(session, client, this));
            }
            server.expire(session);
        });
    }

    private static long sessionOf(CuratorFramework client) {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            throw new IllegalStateException(client + " has no session that could expire; start it before", e);
        }
    }

    private void run(Runnable action) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed; create a new one");
            }
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private Server started() {
        try {
            Server next = new Server(new FileTxnSnapLog(directory.toFile(), directory.toFile()));
            connections.startup(next);
            return next;
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded ZooKeeper server cannot start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting the embedded ZooKeeper server", e);
        }
    }

    private void deleteDirectory() {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> children = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : children) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stillWrittenTo) {
            // a server thread may still write its last snapshot; the operating system cleans its temporary folder
        }
    }

    private static void defaultProperty(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    private final class Server extends ZooKeeperServer {

        Server(FileTxnSnapLog log) {
            super(log, TICK_MILLIS, MIN_SESSION_MILLIS, MAX_SESSION_MILLIS, -1, new ZKDatabase(log), "");
        }

        @Override
        public void processConnectRequest(ServerCnxn connection, ConnectRequest request)
                throws IOException, ClientCnxnLimitException {
            if (severed) {
                throw new IOException("The test has severed this server");
            }
            super.processConnectRequest(connection, request);
        }
    }
}
