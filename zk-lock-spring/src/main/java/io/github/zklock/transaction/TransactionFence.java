package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import java.util.Collection;
import java.util.List;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * Lets the database reject the transaction of a holder that was overtaken. The transactions of threads report to it
 * which locks guard them.
 */
public interface TransactionFence {

    /** Fences no transaction. Used in applications that do not ask for it. */
    TransactionFence NONE = new TransactionFence() {
        @Override
        public boolean covers(LockHandle handle) {
            return false;
        }

        @Override
        public void begun(PlatformTransactionManager manager, Collection<LockHandle> guards) {}

        @Override
        public void acquired(Collection<LockHandle> guards) {}

        @Override
        public void beforeCommit(PlatformTransactionManager manager, Collection<LockHandle> guards) {}
    };

    /** Returns whether this manager calls the fence of the application for its transactions. */
    static boolean isCalledBy(PlatformTransactionManager manager) {
        return manager instanceof AbstractPlatformTransactionManager reporting
                && reporting.getTransactionExecutionListeners().stream().anyMatch(FencedTransactions.class::isInstance);
    }

    /** Returns whether transactions under this single lock are fenced. The other methods expect only such locks. */
    boolean covers(LockHandle handle);

    /** Returns the locks among these that fence their transactions. */
    default List<LockHandle> coveredOf(Collection<LockHandle> handles) {
        return handles.stream().filter(this::covers).toList();
    }

    /**
     * Called on the thread of a transaction that this manager has begun and in which no statement has run.
     *
     * @throws LockLostException if a later holder has passed the fence of a lock; the caller rolls the transaction back
     * @throws RuntimeException if the fence cannot be determined; the caller rolls the transaction back
     */
    void begun(PlatformTransactionManager manager, Collection<LockHandle> guards);

    /**
     * Called on the thread of a running transaction after these locks were acquired inside it, before work under them.
     *
     * @throws LockLostException if a later holder has passed the fence of a lock; the transaction must not commit
     */
    void acquired(Collection<LockHandle> guards);

    /**
     * Called before the commit of the current transaction of this manager, with the locks that guard it.
     *
     * @throws RuntimeException if the transaction is not fenced by one of these locks; it must not commit
     */
    void beforeCommit(PlatformTransactionManager manager, Collection<LockHandle> guards);
}
