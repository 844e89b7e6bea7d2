package io.github.zklock.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The script and the statements on HSQLDB, whose waits for a row cannot be limited, as the other tests need it. */
class FenceTableOnHsqldbTest {

    private static final String LOCK = "/fenced/counter";
    private static final int MAX_SECONDS = 10;

    private final TestDatabase database = new TestDatabase(
            "jdbc:hsqldb:mem:fenced;hsqldb.tx=mvcc",
            "hsqldb",
            "select count(*) from information_schema.system_sessions where this_waiting_for <> ''");

    private final FenceTable table = new FenceTable(JdbcFence.TABLE, Dialect.of("HSQL Database Engine"));

    @Test
    void rowIsCreatedRaisedAndNeverLowered() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);

            assertThat(table.raise(connection, LOCK, 5, "first", MAX_SECONDS)).isTrue();
            connection.commit();
            assertThat(table.raise(connection, LOCK, 6, "second", MAX_SECONDS)).isTrue();
            connection.commit();
            assertThat(table.raise(connection, LOCK, 5, "first", MAX_SECONDS)).isFalse();
            assertThat(table.read(connection, LOCK, MAX_SECONDS)).hasValue(new FenceTable.Row(6, "second"));
            connection.rollback();
        }

        assertThat(database.tokenOf(LOCK)).isEqualTo(6);
    }

    @Test
    void rowThatAnotherProcessHasCreatedIsRaised() throws SQLException {
        database.client()
                .sql("insert into zk_lock_fence (lock_name, token) values (?, 3)")
                .param(LOCK)
                .update();

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(table.raise(connection, LOCK, 5, "first", MAX_SECONDS)).isTrue();
            connection.commit();
        }

        assertThat(database.tokenOf(LOCK)).isEqualTo(5);
    }
}
