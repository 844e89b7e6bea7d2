package io.github.zklock.fence;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A data source whose transactions are fenced. A lock is raised once in a transaction. If a suspended transaction of the
 * same thread has raised the lock, its row is locked for the new transaction, which would wait for itself. The new
 * transaction ends before the suspended one, so the suspended one fences both: no later holder passes the row before
 * both have ended. Invariant: this is proven on the connection of the suspended transaction before the commit.
 */
final class FencedDataSource {

    private static final Logger LOG = LoggerFactory.getLogger(FencedDataSource.class);

    /** The longest wait for a row in a transaction without a timeout. */
    private static final int MAX_WAIT_SECONDS = 30;

    private static final String REMEDY =
            "Create it with zk.lock.fence.jdbc.initialize-schema=always or with the script for"
                    + " your database (io/github/zklock/fence/schema-*.sql), and grant select, insert and update";

    private final String name;
    private final DataSource dataSource;
    private final String tableName;
    private final Consumer<LateWrite> rejected;

    /** Null until the first raise, which reads the product of the database. */
    private volatile @Nullable Database database;

    private record Database(FenceTable table, SQLErrorCodeSQLExceptionTranslator errors) {}

    FencedDataSource(String name, DataSource dataSource, String tableName, Consumer<LateWrite> rejected) {
        this.name = name;
        this.dataSource = targetOf(dataSource);
        this.tableName = tableName;
        this.rejected = rejected;
    }

    String name() {
        return name;
    }

    /** Returns whether this is the same database connection pool, perhaps through proxies. */
    boolean isOf(@Nullable DataSource other) {
        return other != null && targetOf(other) == dataSource;
    }

    private static DataSource targetOf(DataSource source) {
        DataSource target = source;
        while (target instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }

    /**
     * Checks that the fence table can be read. Not checked if the database cannot be reached: the application may start
     * before it.
     *
     * @throws IllegalStateException if the database answers that it cannot
     */
    void requireTable() {
        try (Connection connection = dataSource.getConnection()) {
            databaseOf(connection).table().read(connection, "", MAX_WAIT_SECONDS);
        } catch (SQLException failed) {
            if (translated(failed) instanceof InvalidDataAccessResourceUsageException) {
                throw new IllegalStateException(
                        "Transactions of data source '%s' cannot be fenced: table %s cannot be read. %s"
                                .formatted(name, tableName, REMEDY),
                        failed);
            }
            LOG.debug("Table {} of data source '{}' was not checked", tableName, name, failed);
        } catch (RuntimeException notReached) {
            // a routing data source may have no target yet
            LOG.debug("Table {} of data source '{}' was not checked", tableName, name, notReached);
        }
    }

    /**
     * Returns the connection of the current transaction whose manager uses exactly this data source or proxy; null if it
     * exposes none. A transaction around it may use another proxy.
     */
    @Nullable ConnectionHolder transactionOf(DataSource used) {
        return TransactionSynchronizationManager.getResource(used) instanceof ConnectionHolder holder
                        && isInTransaction(holder)
                ? holder
                : null;
    }

    /** Returns the connection of the thread's current transaction; null if no transaction uses this data source. */
    @Nullable ConnectionHolder transaction() {
        for (Map.Entry<Object, Object> bound :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (bound.getKey() instanceof DataSource source
                    && bound.getValue() instanceof ConnectionHolder holder
                    && isOf(source)
                    && isInTransaction(holder)) {
                return holder;
            }
        }
        return null;
    }

    /** Returns whether the connection is part of a transaction. Spring also binds connections without one. */
    boolean isInTransaction(ConnectionHolder holder) {
        try {
            return !holder.getConnection().getAutoCommit();
        } catch (SQLException broken) {
            throw new UncategorizedSQLException("Reading the state of a connection of '" + name + "'", null, broken);
        }
    }

    /**
     * Fences the current transaction by this lock.
     *
     * @throws LockLostException if a later holder has passed the fence
     */
    void raise(LockHandle handle, String holder, ConnectionHolder transaction) {
        requireSynchronization(handle);
        RaisedRows suspended = RaisedRows.ofSuspended(this, transaction, handle.name());
        RaisedRows rows = suspended == null ? RaisedRows.of(this, transaction) : suspended;
        long token = handle.fencingToken().value();
        if (suspended == null && rows.hasRaised(handle.name(), token)) {
            return;
        }
        raiseRow(handle, holder, rows.transaction);
        rows.raised(handle.name(), token);
    }

    private void requireSynchronization(LockHandle handle) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new IllegalStateException(
                    ("Transaction under lock '%s' is not fenced: its transaction manager has no synchronization, so"
                                    + " the end of the transaction is not reported. Set the transactionSynchronization of the manager"
                                    + " of data source '%s' to SYNCHRONIZATION_ALWAYS")
                            .formatted(handle.name(), name));
        }
    }

    /**
     * Fences the current transaction, which may have read before, by a lock that was acquired inside it.
     *
     * @throws LockLostException if a later holder has passed the fence
     * @throws ConcurrencyFailureException if the transaction would not read what an earlier holder has written
     */
    void raiseInside(LockHandle handle, String holder, ConnectionHolder transaction) {
        requireSynchronization(handle);
        RaisedRows rows = RaisedRows.of(this, transaction);
        LockName lock = handle.name();
        if (!rows.hasRaised(lock, handle.fencingToken().value())
                && RaisedRows.ofSuspended(this, transaction, lock) == null) {
            rejectOldSnapshot(handle, transaction);
            rows.raisedInside(lock);
        }
        raise(handle, holder, transaction);
    }

    private void rejectOldSnapshot(LockHandle handle, ConnectionHolder transaction) {
        inTable(handle, transaction, (table, connection, maxSeconds) -> {
            if (!table.isReadByItsSnapshot(connection, handle.name().value(), maxSeconds)) {
                throw oldSnapshot(handle.name());
            }
        });
    }

    /** Notes that the rows of these locks may not exist, because the transaction that raised them was rolled back. */
    void forget(Collection<LockName> locks) {
        Database known = database;
        if (known != null) {
            locks.forEach(lock -> known.table().forget(lock.value()));
        }
    }

    /**
     * Checks before the commit that this lock fences the current transaction.
     *
     * @throws LockLostException if a later holder has passed the fence
     * @throws IllegalStateException if the lock was not raised when its work began
     */
    void ensureRaised(LockHandle handle, String holder, ConnectionHolder transaction) {
        RaisedRows rows = RaisedRows.of(this, transaction);
        if (rows.hasRaised(handle.name(), handle.fencingToken().value())) {
            if (rows.isRaisedInside(handle.name())) {
                raiseRow(handle, holder, transaction);
            }
            return;
        }
        RaisedRows suspended = RaisedRows.ofSuspended(this, transaction, handle.name());
        if (!rows.isUndone(handle.name()) && suspended == null) {
            throw new IllegalStateException(
                    ("Transaction is not committed: lock '%s' was acquired by code inside it, so the row of the lock in"
                                    + " table %s was not raised before the work. Acquire the lock before the"
                                    + " transaction begins, or by an annotated method")
                            .formatted(handle.name(), tableName));
        }
        raise(handle, holder, transaction);
        if (suspended != null) {
            suspended.fencesOther(handle, holder);
        }
    }

    /**
     * Raises a row again on the connection of a transaction that was rolled back, because the rollback has also undone
     * the fence of a transaction inside it that has committed. Not guaranteed: that no earlier holder passes the row
     * between the rollback and this raise.
     */
    void raiseAfterRollback(LockHandle handle, String holder, ConnectionHolder transaction) {
        try {
            Connection connection = transaction.getConnection();
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                raiseRow(handle, holder, transaction);
                connection.commit();
            } finally {
                // ends a raise that failed; after a commit, there is nothing to roll back
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        } catch (LockLostException higher) {
            LOG.debug("A later holder has raised the row already", higher);
        } catch (SQLException | RuntimeException failed) {
            LOG.warn(
                    "Row of lock '{}' in table {} was not raised to token {} after a rollback: a transaction of an earlier"
                            + " holder may be accepted, although a later one has committed",
                    handle.name(),
                    tableName,
                    handle.fencingToken(),
                    failed);
        }
    }

    private void raiseRow(LockHandle handle, String holder, ConnectionHolder transaction) {
        String lock = handle.name().value();
        inTable(handle, transaction, (table, connection, maxSeconds) -> {
            if (!table.raise(connection, lock, handle.fencingToken().value(), holder, maxSeconds)) {
                throw rejection(handle, holder, table.read(connection, lock, maxSeconds));
            }
        });
    }

    /** Statements on the row of a lock. */
    private interface Statements {

        void execute(FenceTable table, Connection connection, int maxSeconds) throws SQLException;
    }

    private void inTable(LockHandle handle, ConnectionHolder transaction, Statements statements) {
        long begun = System.nanoTime();
        try {
            Connection connection = transaction.getConnection();
            FenceTable table = databaseOf(connection).table();
            statements.execute(table, connection, secondsLeft(handle, transaction));
        } catch (SQLException failed) {
            throw failure(handle, failed, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
    }

    /**
     * Returns the limit of a wait for the row.
     *
     * @throws CannotAcquireLockException if the time is over. A TransactionException is not thrown, because Spring would
     *     not roll back after one before the commit
     */
    private int secondsLeft(LockHandle handle, ConnectionHolder transaction) {
        try {
            return transaction.hasTimeout() ? transaction.getTimeToLiveInSeconds() : MAX_WAIT_SECONDS;
        } catch (TransactionTimedOutException over) {
            throw new CannotAcquireLockException(
                    ("Transaction under lock '%s' is rolled back: the timeout of the transaction that raises the row of"
                                    + " the lock in table %s has passed. Raise that timeout; the transaction may be the one"
                                    + " around a REQUIRES_NEW transaction")
                            .formatted(handle.name(), tableName),
                    over);
        }
    }

    private RuntimeException rejection(LockHandle handle, String holder, Optional<FenceTable.Row> row) {
        LockName lock = handle.name();
        FencingToken token = handle.fencingToken();
        if (row.isEmpty() || row.get().token() <= token.value()) {
            return oldSnapshot(lock);
        }
        FencingToken later = new FencingToken(row.get().token());
        LateWrite late = new LateWrite(lock, token, holder, later, row.get().holder(), Instant.now());
        rejected.accept(late);
        String message =
                ("Lock '%s' was lost: token %s of this holder (%s) is lower than token %s of %s in table %s; its"
                                + " transaction is rolled back")
                        .formatted(lock, token, holder, later, row.get().holder(), tableName);
        // first the row, then the lock: if the proof is right, no later holder can have written the row
        return new LockLostException(lock, handle.isHeld() ? message + remedyForFallenTokens(lock) : message);
    }

    private RuntimeException oldSnapshot(LockName lock) {
        return new ConcurrencyFailureException(
                ("Transaction under lock '%s' is rolled back: the row of the lock in table %s changed after the"
                                + " snapshot of the transaction was taken. Repeat the transaction, or use"
                                + " isolation READ_COMMITTED")
                        .formatted(lock, tableName));
    }

    private String remedyForFallenTokens(LockName lock) {
        return (". The lock is proven to be held now. If it was not just released by force, the data of ZooKeeper were lost or"
                        + " restored, so that tokens begin again, or the row belongs to a lock of another ensemble or base"
                        + " path. If the data were lost, stop all processes that work under the lock, and run: update %s"
                        + " set token = 0 where lock_name = '%s'. If the row belongs to another lock, use another table"
                        + " (zk.lock.fence.jdbc.table)")
                .formatted(tableName, lock.value().replace("'", "''"));
    }

    private DataAccessException failure(LockHandle handle, SQLException cause, long millis) {
        String state = cause.getSQLState();
        DataAccessException translated = translated(cause);
        if (state != null && state.startsWith("40")) {
            return new CannotAcquireLockException(
                    ("Transaction under lock '%s' is rolled back: the database rejected the update of the lock's row in"
                                    + " table %s, because the transaction conflicts with another one (deadlock, or an"
                                    + " isolation above READ_COMMITTED). Repeat the transaction")
                            .formatted(handle.name(), tableName),
                    cause);
        }
        if (translated instanceof PessimisticLockingFailureException || translated instanceof QueryTimeoutException) {
            return new CannotAcquireLockException(
                    ("Transaction under lock '%s' (token %s) is rolled back: the row of the lock in table %s was locked"
                                    + " by the transaction of another holder for %d ms. That transaction may belong to a"
                                    + " paused process. Let the database end idle transactions (see docs/fencing.md), or"
                                    + " raise the timeout of this transaction")
                            .formatted(handle.name(), handle.fencingToken(), tableName, millis),
                    cause);
        }
        if (translated instanceof InvalidDataAccessResourceUsageException) {
            return new InvalidDataAccessResourceUsageException(
                    "Transaction under lock '%s' is rolled back: table %s of data source '%s' cannot be updated. %s"
                            .formatted(handle.name(), tableName, name, REMEDY),
                    cause);
        }
        return translated;
    }

    private DataAccessException translated(SQLException cause) {
        Database known = database;
        DataAccessException translated = known == null
                ? null
                : known.errors().translate("Raising the fence of a lock in table " + tableName, null, cause);
        return translated != null
                ? translated
                : new UncategorizedSQLException("Raising the fence of a lock in table " + tableName, null, cause);
    }

    private Database databaseOf(Connection connection) throws SQLException {
        Database known = database;
        if (known == null) {
            String product = connection.getMetaData().getDatabaseProductName();
            SQLErrorCodeSQLExceptionTranslator errors = new SQLErrorCodeSQLExceptionTranslator(product);
            known = new Database(new FenceTable(tableName, Dialect.of(product)), errors);
            database = known;
        }
        return known;
    }
}
