package io.github.zklock.faults.scenario;

import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jvm;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.fixture.Ports;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.h2.tools.Server;

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
    private ChildProcess server;

    DatabaseProcess(ScenarioContext context) throws SQLException {
        this.context = context;
        this.server = start();
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
            statement.execute("create table counter (n bigint not null) as select 0");
            statement.execute("create table steps (n bigint not null)");
        }
    }

    /** Starts a client that increments the counter under the lock. */
    ClientProcess client(String name) {
        return context.client(name, ClientOptions.withOptions("-Dspring.datasource.url=" + url()));
    }

    Count count() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select n, (select count(*) from steps) from counter")) {
            row.next();
            return new Count(row.getLong(1), row.getLong(2));
        }
    }

    /** Returns the process, which can be paused and killed. */
    ChildProcess server() {
        return server;
    }

    void restart() {
        server = start();
        awaitAnswer();
    }

    @Override
    public void close() {
        server.close();
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
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./database";
    }
}
