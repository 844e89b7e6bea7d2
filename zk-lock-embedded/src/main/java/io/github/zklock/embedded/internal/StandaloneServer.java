package io.github.zklock.embedded.internal;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.server.ClientCnxnLimitException;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server in this JVM, on the loopback interface. It runs from its construction until it is closed.
 * Thread-safe.
 *
 * <p>Not for production: the server does not sync data to the disk, and every client has all permissions.
 */
public final class StandaloneServer implements AutoCloseable {

    private static final int TICK_MILLIS = 100;
    private static final int MIN_SESSION_MILLIS = 2 * TICK_MILLIS;
    private static final int MAX_SESSION_MILLIS = 600_000;

    // as ZooKeeperServerMain does unless configured
    private static final int CONTAINER_CHECK_MILLIS = 60_000;
    private static final int CONTAINERS_PER_MINUTE = 10_000;

    static {
        // read once, when the first server class is loaded: the data need not survive a power failure
        defaultProperty("zookeeper.forceSync", "no");
        defaultProperty("zookeeper.preAllocSize", "256");
        // a server that fails must not end the JVM
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

    /**
     * Starts a server on the data in this folder.
     *
     * @param port the port on the loopback interface; 0 for any free port
     * @throws java.net.BindException if another program uses the port
     */
    public StandaloneServer(int port, Path directory) throws IOException {
        this.directory = directory;
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0, -1, false);
        try {
            server = started();
        } catch (IOException | RuntimeException failed) {
            connections.shutdown();
            throw failed;
        }
    }

    /** Returns the host and the port as a connect string. It never changes. */
    public String connectString() {
        return connectString(connections.getLocalPort());
    }

    /** Returns the connect string of a server on this port of the loopback interface. */
    public static String connectString(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        String host = loopback.getHostAddress();
        return (loopback instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }

    /** Returns the ids of the live sessions. */
    public Set<Long> sessions() {
        lock.lock();
        try {
            return Set.copyOf(server.getSessionTracker().globalSessions());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends this session, as if the server had received no heartbeat for the session timeout. Returns false if the server
     * has no such session.
     */
    public boolean expire(long session) {
        lock.lock();
        try {
            checkOpen();
            if (!server.getSessionTracker().globalSessions().contains(session)) {
                return false;
            }
            server.expire(session);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Closes all connections and rejects new ones until {@link #heal()}. No effect if already severed. */
    public void sever() {
        lock.lock();
        try {
            checkOpen();
            // in this order: a connection that is accepted before the flag is set is among the connections that are
            // closed
            severed = true;
            connections.closeAll(DisconnectReason.CONNECTION_CLOSE_FORCED);
        } finally {
            lock.unlock();
        }
    }

    /** Accepts connections again. No effect if not severed. */
    public void heal() {
        severed = false;
    }

    /** Stops the server and starts it again with its data. A severed server remains severed. */
    public void restart() throws IOException {
        lock.lock();
        try {
            checkOpen();
            connections.closeAll(DisconnectReason.SERVER_SHUTDOWN);
            server.end();
            server = started();
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                connections.shutdown();
                server.end();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return connectString() + (severed ? ", severed" : "");
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "The embedded ZooKeeper server on " + connectString() + " is closed; create a new one");
        }
    }

    private Server started() throws IOException {
        Server next = new Server(new FileTxnSnapLog(directory.toFile(), directory.toFile()));
        try {
            connections.startup(next);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while starting the embedded ZooKeeper server", e);
        }
        next.removeEmptyContainers();
        return next;
    }

    private static void defaultProperty(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    private final class Server extends ZooKeeperServer {

        private @Nullable ContainerManager containers;

        Server(FileTxnSnapLog log) {
            super(log, TICK_MILLIS, MIN_SESSION_MILLIS, MAX_SESSION_MILLIS, -1, new ZKDatabase(log), "");
        }

        @Override
        public void processConnectRequest(ServerCnxn connection, ConnectRequest request)
                throws IOException, ClientCnxnLimitException {
            if (severed) {
                throw new IOException("This server is severed");
            }
            super.processConnectRequest(connection, request);
        }

        /** Deletes the folders of locks that are no longer used, as every ZooKeeper server does. */
        void removeEmptyContainers() {
            containers = new ContainerManager(
                    getZKDatabase(), firstProcessor, CONTAINER_CHECK_MILLIS, CONTAINERS_PER_MINUTE);
            containers.start();
        }

        /** Stops the server and closes its files. */
        void end() {
            if (containers != null) {
                containers.stop();
            }
            shutdown();
            try {
                getZKDatabase().close();
            } catch (IOException notClosed) {
                // all data is written: the server was stopped before
                LOG.debug("A file of the embedded ZooKeeper server could not be closed", notClosed);
            }
        }
    }
}
