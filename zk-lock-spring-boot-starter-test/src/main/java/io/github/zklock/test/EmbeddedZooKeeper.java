package io.github.zklock.test;

import io.github.zklock.LockRegistry;
import io.github.zklock.embedded.internal.StandaloneServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;

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

    private final Path directory;
    private final StandaloneServer server;

    /** Starts a server. */
    public EmbeddedZooKeeper() {
        try {
            directory = Files.createTempDirectory("zk-lock-embedded");
            server = new StandaloneServer(0, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded ZooKeeper server cannot start", e);
        }
    }

    /** Returns the host and the port as a connect string. It never changes. */
    public String connectString() {
        return server.connectString();
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
        server.sessions().forEach(server::expire);
    }

    /** Returns the number of live sessions. */
    public int sessions() {
        return server.sessions().size();
    }

    /**
     * Closes all connections and rejects new ones until {@link #heal()}. The server itself keeps running. Sessions
     * expire if this lasts longer than their timeout. No effect if already severed.
     */
    public void sever() {
        server.sever();
    }

    /** Accepts connections again. No effect if not severed. */
    public void heal() {
        server.heal();
    }

    /**
     * Stops the server and starts it again with its data. A session survives if its client reconnects within the
     * session timeout, which starts again. A severed server remains severed.
     */
    public void restart() {
        try {
            server.restart();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded ZooKeeper server cannot start again", e);
        }
    }

    /** Stops the server and deletes its folder. Idempotent. */
    @Override
    public void close() {
        server.close();
        deleteDirectory();
    }

    @Override
    public String toString() {
        return "EmbeddedZooKeeper[" + server + "]";
    }

    private void expire(long session, Object client) {
        if (!server.expire(session)) {
            throw new IllegalStateException(
                    "Session 0x%x of %s is not one of %s; it has expired already, or belongs to another server"
                            .formatted(session, client, this));
        }
    }

    private static long sessionOf(CuratorFramework client) {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            throw new IllegalStateException(client + " has no session that could expire; start it before", e);
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
}
