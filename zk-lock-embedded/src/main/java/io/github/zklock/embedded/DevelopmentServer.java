package io.github.zklock.embedded;

import io.github.zklock.autoconfigure.ZkLockStartupException;
import io.github.zklock.embedded.internal.StandaloneServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;

/**
 * The ZooKeeper server of a development machine. It is started in this process, or another instance has started it and
 * this process joins it. A process that joined does not take over: when the process of the server ends, all locks are
 * lost.
 */
final class DevelopmentServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DevelopmentServer.class);
    private static final PortProbe PROBE = new PortProbe(Duration.ofSeconds(3));

    private final String connectString;
    private final @Nullable Own own;
    private volatile boolean kept;

    private DevelopmentServer(String connectString, @Nullable Own own) {
        this.connectString = connectString;
        this.own = own;
    }

    /** A server of this process and its folder. */
    private record Own(StandaloneServer server, ServerDirectory directory) {

        void close() {
            server.close();
            directory.close();
        }
    }

    /**
     * Joins or starts a server on this port of the loopback interface. For port 0, starts a server on any free port.
     */
    static DevelopmentServer start(int port, @Nullable Path dataDirectory) {
        try {
            return port == 0 ? startAnywhere(dataDirectory) : startOrJoin(port, dataDirectory);
        } catch (IOException e) {
            throw new ZkLockStartupException(
                    "The embedded ZooKeeper server cannot use its folder: " + e,
                    "Set zk.lock.embedded.data-directory to a folder that this process can write, or delete what is in"
                            + " it.",
                    e);
        }
    }

    /**
     * Joins or starts a server as {@link #start} does, but a server of this process keeps running when its application
     * context closes.
     */
    static DevelopmentServer startUntilTheProcessEnds(int port, @Nullable Path dataDirectory) {
        DevelopmentServer started = onDaemonThread(() -> start(port, dataDirectory));
        if (started.own != null) {
            started.kept = true;
            // stops after all contexts are closed, whose clients need the server to end their sessions
            SpringApplication.getShutdownHandlers().add(started::stop);
        }
        return started;
    }

    /**
     * Runs the work on a daemon thread. The threads that ZooKeeper starts inherit this status, so that they do not keep
     * the process alive.
     */
    private static DevelopmentServer onDaemonThread(Supplier<DevelopmentServer> work) {
        FutureTask<DevelopmentServer> task = new FutureTask<>(work::get);
        Thread thread = new Thread(task, "zk-lock-embedded-start");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ZkLockStartupException(
                    "The start of the embedded ZooKeeper server was interrupted", "Start the application again.", null);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException reason) {
                throw reason;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    String connectString() {
        return connectString;
    }

    /** Returns whether the server runs in this process. */
    boolean isOwn() {
        return own != null;
    }

    /** Stops a server of this process, unless it is kept. */
    @Override
    public void close() {
        if (!kept) {
            stop();
        }
    }

    /** Stops a server of this process. */
    void stop() {
        if (own != null) {
            own.close();
        }
    }

    private static DevelopmentServer startAnywhere(@Nullable Path dataDirectory) throws IOException {
        ServerDirectory directory =
                dataDirectory == null ? ServerDirectory.temporary() : ServerDirectory.at(dataDirectory);
        return closingUnlessUsed(directory, () -> startIn(directory, 0));
    }

    private static DevelopmentServer startOrJoin(int port, @Nullable Path dataDirectory) throws IOException {
        // probe before opening the folder: on POSIX systems, closing a file releases all locks that this process has on
        // it
        if (ask(port) == PortProbe.Answer.ZOOKEEPER) {
            return joined(port);
        }
        ServerDirectory directory = dataDirectory == null
                ? ServerDirectory.ofThisUser(defaultDirectory(port))
                : ServerDirectory.at(dataDirectory);
        return closingUnlessUsed(
                directory,
                () -> directory.alone(() -> switch (ask(port)) {
                    case ZOOKEEPER -> joined(port);
                    case NOBODY -> startIn(directory, port);
                    case SOMETHING_ELSE -> throw taken(port);
                }));
    }

    private static PortProbe.Answer ask(int port) {
        return PROBE.ask(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static DevelopmentServer closingUnlessUsed(
            ServerDirectory directory, ServerDirectory.Work<DevelopmentServer> work) throws IOException {
        boolean used = false;
        try {
            DevelopmentServer found = work.run();
            used = found.isOwn();
            return found;
        } finally {
            if (!used) {
                directory.close();
            }
        }
    }

    private static DevelopmentServer startIn(ServerDirectory directory, int port) throws IOException {
        if (!directory.claim()) {
            throw new ZkLockStartupException(
                    "The folder " + directory.path()
                            + " is in use by an embedded ZooKeeper server on another port than " + port,
                    "Give all instances the same zk.lock.embedded.port, so that they share one server, or each server a"
                            + " zk.lock.embedded.data-directory of its own.",
                    null);
        }
        directory.tidy();
        try {
            return started(new Own(new StandaloneServer(port, directory.data()), directory));
        } catch (BindException inUse) {
            if (ask(port) == PortProbe.Answer.ZOOKEEPER) {
                // another instance with another folder has started a server in the meantime
                return joined(port);
            }
            throw taken(port);
        }
    }

    private static DevelopmentServer started(Own own) {
        String connectString = own.server().connectString();
        LOG.warn(
                "Embedded ZooKeeper server started on {}, data in {}. It is for DEVELOPMENT ONLY: one server, open to every"
                        + " process of this machine, and when this process ends, the locks of all instances that joined"
                        + " it end. In production set zk.lock.connect-string, and remove zk-lock-embedded",
                connectString,
                own.directory().path());
        return new DevelopmentServer(connectString, own);
    }

    private static DevelopmentServer joined(int port) {
        String connectString = StandaloneServer.connectString(port);
        LOG.warn(
                "Joined the ZooKeeper server that answers on {}, because zk-lock-embedded is on the class path and no"
                        + " servers are configured. This is for DEVELOPMENT ONLY: when the process of that server ends,"
                        + " the locks of this one are lost",
                connectString);
        return new DevelopmentServer(connectString, null);
    }

    private static ZkLockStartupException taken(int port) {
        return new ZkLockStartupException(
                "Port " + port + " of the embedded ZooKeeper server is taken by a program that does not answer as a"
                        + " ZooKeeper server does",
                "Set zk.lock.embedded.port to a free port, the same for all instances, or stop the program that listens"
                        + " on " + StandaloneServer.connectString(port) + ".",
                null);
    }

    private static Path defaultDirectory(int port) {
        // the name contains the port: servers on different ports must not share data
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "zk-lock-embedded-" + System.getProperty("user.name", "user") + "-" + port);
    }
}
