package io.github.zklock.fence;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The rows that one transaction of a thread has raised and keeps locked. It exists from its first raise until the
 * transaction has completed, also while the transaction is suspended.
 */
final class RaisedRows implements TransactionSynchronization {

    /** The rows of the current transaction and of suspended ones, outermost first. */
    private static final ThreadLocal<List<RaisedRows>> OF_THREAD = new ThreadLocal<>();

    final ConnectionHolder transaction;
    private final FencedDataSource source;
    private final Map<LockName, Long> tokens = new HashMap<>();

    /** Locks whose rows were raised, but perhaps inside a savepoint that was rolled back. */
    private final Set<LockName> undone = new HashSet<>();

    /**
     * Locks whose rows were raised after other statements. Code may have rolled back a savepoint of the connection
     * since, which Spring does not report.
     */
    private final Set<LockName> inside = new HashSet<>();

    /** What has to be raised again if this transaction is rolled back, for transactions inside it that have committed. */
    private final List<Runnable> ofOthers = new ArrayList<>(0);

    private RaisedRows(FencedDataSource source, ConnectionHolder transaction) {
        this.source = source;
        this.transaction = transaction;
    }

    /** Returns the rows of the current transaction. Precondition: the thread has active synchronizations. */
    static RaisedRows of(FencedDataSource source, ConnectionHolder transaction) {
        RaisedRows current = existing(source, transaction);
        if (current != null) {
            return current;
        }
        RaisedRows begun = new RaisedRows(source, transaction);
        TransactionSynchronizationManager.registerSynchronization(begun);
        List<RaisedRows> all = OF_THREAD.get();
        if (all == null) {
            all = new ArrayList<>(2);
            OF_THREAD.set(all);
        }
        all.add(begun);
        return begun;
    }

    private static @Nullable RaisedRows existing(FencedDataSource source, ConnectionHolder transaction) {
        for (RaisedRows rows : all()) {
            if (rows.source == source && rows.transaction == transaction) {
                return rows;
            }
        }
        return null;
    }

    /**
     * Returns the rows of a suspended transaction of this thread and database that has raised this lock; null if there
     * is none. A savepoint that was rolled back may have begun after the raise, so that the row is still locked.
     */
    static @Nullable RaisedRows ofSuspended(FencedDataSource source, ConnectionHolder current, LockName lock) {
        for (RaisedRows rows : all()) {
            if (rows.source == source
                    && rows.transaction != current
                    && (rows.tokens.containsKey(lock) || rows.isUndone(lock))
                    && source.isInTransaction(rows.transaction)) {
                return rows;
            }
        }
        return null;
    }

    private static List<RaisedRows> all() {
        List<RaisedRows> all = OF_THREAD.get();
        return all == null ? List.of() : all;
    }

    boolean hasRaised(LockName lock, long token) {
        return tokens.getOrDefault(lock, 0L) >= token;
    }

    /** Returns whether the row was raised before a savepoint was rolled back, and has to be raised again. */
    boolean isUndone(LockName lock) {
        return undone.contains(lock);
    }

    /** Notes that a transaction inside this one commits under the row that this one has raised. */
    void fencesOther(LockHandle handle, String holder) {
        ofOthers.add(() -> source.raiseAfterRollback(handle, holder, transaction));
    }

    /** Returns whether the row has to be raised again before the commit, although no savepoint is known. */
    boolean isRaisedInside(LockName lock) {
        return inside.contains(lock);
    }

    void raisedInside(LockName lock) {
        inside.add(lock);
    }

    void raised(LockName lock, long token) {
        tokens.merge(lock, token, Math::max);
        undone.remove(lock);
    }

    @Override
    public void savepointRollback(Object savepoint) {
        undone.addAll(tokens.keySet());
        tokens.clear();
    }

    @Override
    public void afterCompletion(int status) {
        if (status != STATUS_COMMITTED) {
            source.forget(tokens.keySet());
            ofOthers.forEach(Runnable::run);
        }
        source.forget(undone);
        List<RaisedRows> all = OF_THREAD.get();
        if (all != null && all.remove(this) && all.isEmpty()) {
            OF_THREAD.remove();
        }
    }
}
