package io.github.zklock.faults.scenario;

import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jvm;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.LockSpec;
import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.Ports;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/** A database in a process of its own, with a counter for each lock that applications increment under the lock. */
final class DatabaseProcess implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /**
     * The state of a counter.
     *
     * @param value its value
     * @param steps how often it was incremented
     */
    record Count(long value, long steps) {}

    private final ScenarioContext context;
    private final int port = Ports.free();
    private final @Nullable DatabaseServer installed;
    private final List<String> clientOptions;
    private @Nullable ChildProcess server;

    DatabaseProcess(ScenarioContext context) throws SQLException {
        this(context, null, List.of());
    }

    /**
     * Starts a database.
     *
     * @param installed a server that runs already; null for H2 in a process of its own
     * @param clientOptions options of the JVMs of all clients
     */
    DatabaseProcess(ScenarioContext context, @Nullable DatabaseServer installed, List<String> clientOptions)
            throws SQLException {
        this.context = context;
        this.installed = installed;
        this.clientOptions = List.copyOf(clientOptions);
        this.server = installed == null ? start() : null;
        try {
            awaitAnswer();
            createTables();
            addCounter(LockSpec.USUAL_LOCK);
        } catch (SQLException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void createTables() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists zk_lock_fence");
            statement.execute("drop table if exists counter");
            statement.execute("drop table if exists steps");
            statement.execute("create table counter (name varchar(40) primary key, n bigint not null)");
            statement.execute("create table steps (name varchar(40) not null, n bigint not null)");
        }
    }

    /** Adds the counter of a further lock, whose name begins with that of the usual one. */
    void addCounter(String lock) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement insert = connection.prepareStatement("insert into counter values (?, 0)")) {
            insert.setString(1, lock);
            insert.executeUpdate();
        }
    }

    /** Starts a client that increments the counters under their locks. */
    ClientProcess client(String name) {
        return context.client(
                name,
                ClientOptions.withOptions(
                        Stream.concat(Stream.of("-Dspring.datasource.url=" + url()), clientOptions.stream())
                                .toArray(String[]::new)));
    }

    Count count() throws SQLException {
        return count(LockSpec.USUAL_LOCK);
    }

    Count count(String lock) throws SQLException {
        String read =
                "select n, (select count(*) from steps where steps.name = counter.name) from counter where name = ?";
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(read)) {
            statement.setString(1, lock);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Count(row.getLong(1), row.getLong(2));
            }
        }
    }

    /** Returns the process of H2, which can be paused and killed. */
    ChildProcess server() {
        return Objects.requireNonNull(server, "the server runs already");
    }

    void restart() {
        server = start();
        awaitAnswer();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        if (installed != null) {
            installed.close();
        }
    }

    private ChildProcess start() {
        return ChildProcess.start(
                "database",
                Jvm.of(context.variant().jdk(), List.of(), List.of("-Xmx64m")).shortLived(),
                context.folder().resolve("database.log"),
                Redirect.DISCARD,
                List.of(
                        Server.class.getName(),
                        "-tcp",
                        "-tcpPort",
                        Integer.toString(port),
                        "-ifNotExists",
                        "-baseDir",
                        context.folder().toString()));
    }

    private void awaitAnswer() {
        Awaitility.await("the database")
                .atMost(MAX_WAIT)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(this::answers);
    }

    private boolean answers() throws SQLException {
        try (Connection connection = connect()) {
            return connection.isValid(0);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    private String url() {
        return installed == null
                // longer than the pauses of holders, whose rows stay locked
                ? "jdbc:h2:tcp://127.0.0.1:" + port + "/./database;LOCK_TIMEOUT=20000"
                : installed.url();
    }
}
