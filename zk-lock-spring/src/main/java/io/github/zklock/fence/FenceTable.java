package io.github.zklock.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Savepoint;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fence table of one database: a row for each lock, with the highest token under which a transaction has begun.
 *
 * <p>Invariant: tokens in the table only rise: the statement that writes a token compares it with the row. After
 * {@link #raise}, the row stays locked by the transaction of the connection until that transaction ends.
 *
 * <p>No row is read before the raise has succeeded, because a read would fix the snapshot of a transaction under
 * REPEATABLE READ in MySQL and MariaDB: the transaction would not read what the earlier holder wrote.
 */
final class FenceTable {

    private static final int KNOWN_ROWS = 10_000;

    private final String name;
    private final Dialect dialect;
    private final String raise;
    private final String insert;
    private final String read;

    /**
     * The locks whose rows exist as far as is known. A row is inserted before it is updated, because in MySQL an update
     * of a missing row locks a gap, and two transactions that then insert into the gap deadlock.
     */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** A row of the table. */
    record Row(long token, String holder) {}

    FenceTable(String name, Dialect dialect) {
        this.name = name;
        this.dialect = dialect;
        this.raise = "update " + name + " set token = ?, holder = ?, raised_at = ? where lock_name = ? and token <= ?";
        this.insert = ("insert into " + name + " (lock_name, token) values (?, 0) " + dialect.ifAbsent).trim();
        this.read = "select token, holder from " + name + " where lock_name = ?" + dialect.lockingRead;
    }

    String name() {
        return name;
    }

    /**
     * Raises the row of a lock to this token and locks it, in the transaction of this connection. Waits for the
     * transaction of another holder that has raised the row.
     *
     * @param maxSeconds limit of each wait
     * @return false if the token in the row is higher
     */
    boolean raise(Connection connection, String lock, long token, String holder, int maxSeconds) throws SQLException {
        if (known.contains(lock) && update(connection, lock, token, holder, maxSeconds)) {
            return true;
        }
        insertIfAbsent(connection, lock, maxSeconds);
        if (!update(connection, lock, token, holder, maxSeconds)) {
            return false;
        }
        if (known.size() >= KNOWN_ROWS) {
            known.clear();
        }
        known.add(lock);
        return true;
    }

    /**
     * Returns whether a transaction reads the latest row of a lock. It does not if its snapshot is older than the row,
     * and if its locking statements do not reject it for that reason. Locks the row.
     */
    boolean isReadByItsSnapshot(Connection connection, String lock, int maxSeconds) throws SQLException {
        if (dialect.lockingRead.isEmpty()) {
            return true;
        }
        if (!known.contains(lock)) {
            insertIfAbsent(connection, lock, maxSeconds);
        }
        List<String> latest = version(connection, lock, dialect.lockingRead, maxSeconds);
        return latest.equals(version(connection, lock, "", maxSeconds));
    }

    /** Returns what each raise changes; empty if this transaction cannot see the row. */
    private List<String> version(Connection connection, String lock, String locking, int maxSeconds)
            throws SQLException {
        String sql = "select token, raised_at from " + name + " where lock_name = ?" + locking;
        try (PreparedStatement statement = prepare(connection, sql, maxSeconds)) {
            statement.setString(1, lock);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? List.of(rows.getString(1), String.valueOf(rows.getString(2))) : List.of();
            }
        }
    }

    /** Notes that the row of a lock may not exist: the transaction that has perhaps inserted it was rolled back. */
    void forget(String lock) {
        known.remove(lock);
    }

    private boolean update(Connection connection, String lock, long token, String holder, int maxSeconds)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, raise, maxSeconds)) {
            statement.setLong(1, token);
            statement.setString(2, holder);
            // the clock of the process, for people only; it also makes each update a change
            statement.setTimestamp(3, Timestamp.from(Instant.now()));
            statement.setString(4, lock);
            statement.setLong(5, token);
            return statement.executeUpdate() > 0;
        }
    }

    private void insertIfAbsent(Connection connection, String lock, int maxSeconds) throws SQLException {
        // PostgreSQL accepts no statement after a failed one unless a savepoint undoes it
        Savepoint before = dialect.ifAbsent.isEmpty() ? connection.setSavepoint() : null;
        try (PreparedStatement statement = prepare(connection, insert, maxSeconds)) {
            statement.setString(1, lock);
            statement.executeUpdate();
        } catch (SQLException exists) {
            if (before == null || !isDuplicate(exists)) {
                throw exists;
            }
            connection.rollback(before);
        }
    }

    private static boolean isDuplicate(SQLException failure) {
        String state = failure.getSQLState();
        return failure instanceof SQLIntegrityConstraintViolationException || (state != null && state.startsWith("23"));
    }

    /** Reads the row of a lock; empty if this transaction cannot see it. */
    Optional<Row> read(Connection connection, String lock, int maxSeconds) throws SQLException {
        try (PreparedStatement statement = prepare(connection, read, maxSeconds)) {
            statement.setString(1, lock);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                String holder = rows.getString(2);
                return Optional.of(new Row(rows.getLong(1), holder == null ? "unknown" : holder));
            }
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, int maxSeconds) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        if (dialect.needsQueryTimeout) {
            try {
                statement.setQueryTimeout(maxSeconds);
            } catch (SQLException unsupported) {
                statement.close();
                throw unsupported;
            }
        }
        return statement;
    }
}
