package io.github.zklock.faults.scenario;

import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jvm;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.Ports;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.DriverManager;
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

/** A database in a process of its own, with a counter that applications increment under the lock. */
final class DatabaseProcess implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /**
     * The state of the counter.
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
            statement.execute("create table counter (n bigint not null)");
            statement.execute("insert into counter values (0)");
            statement.execute("create table steps (n bigint not null)");
        }
    }

    /** Starts a client that increments the counter under the lock. */
    ClientProcess client(String name) {
        return context.client(
                name,
                ClientOptions.withOptions(
                        Stream.concat(Stream.of("-Dspring.datasource.url=" + url()), clientOptions.stream())
                                .toArray(String[]::new)));
    }

    Count count() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select n, (select count(*) from steps) from counter")) {
            row.next();
            return new Count(row.getLong(1), row.getLong(2));
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
