package io.github.zklock.transaction;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.aop.PermitHandle;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction if a lock that guards it is lost, or cannot be proven to be held: the transaction is
 * rolled back. A lock in doubt counts as lost, since the next holder may already be at work.
 *
 * <p>The locks that guard the transaction of a thread are those in open scopes of the thread, and those that are kept until
 * this transaction is over. A lock that is only kept for another transaction, suspended meanwhile, is not among them.
 * Transactions that are read-only or exempt are not checked.
 *
 * <p>Not guaranteed: that the lock is still held when the database commits, an instant later. Only the fencing token, in
 * the statement itself, closes that gap.
 */
final class OwnershipCheck implements TransactionExecutionListener {

    private final boolean permits;

    /**
     * Creates a check.
     *
     * @param permits whether it concerns permits of semaphores as well as locks
     */
    OwnershipCheck(boolean permits) {
        this.permits = permits;
    }

    @Override
    public void beforeCommit(TransactionExecution execution) {
        HoldUntilCompletion.closeCompleted();
        ThreadTransaction transaction = ThreadTransaction.current();
        if (transaction == null ? execution.isReadOnly() : !transaction.isChecked(execution.isReadOnly())) {
            return;
        }
        Set<LockHandle> ofOthers = HoldUntilCompletion.keptForOthersThan(transaction);
        for (LockHandle handle : LockContext.current()) {
            if (!ofOthers.contains(handle)) {
                ensureHeld(handle);
            }
        }
    }

    /** Whether the loss of this handle refuses a commit. */
    boolean concerns(LockHandle handle) {
        return permits || !(handle instanceof PermitHandle);
    }

    /**
     * Returns if nothing stands against a commit under this handle.
     *
     * @throws LockLostException which is no TransactionException on purpose: one of those would not roll back
     */
    void ensureHeld(LockHandle handle) {
        for (LockHandle part : handle.parts()) {
            // a closed handle means that the work under the lock has ended
            if (concerns(part) && part.state() != LockState.RELEASED) {
                try {
                    part.ensureHeld();
                } catch (LockLostException lost) {
                    throw refusal(lost);
                }
            }
        }
    }

    static LockLostException refusal(LockLostException lost) {
        return new LockLostException(lost.name(), lost.getMessage() + "; its transaction is rolled back");
    }

    /** Exempts each transaction that its transaction manager begins. */
    static final class Exemption implements TransactionExecutionListener {

        @Override
        public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
            // also called for a savepoint in the transaction of another manager
            if (failure == null && execution.isNewTransaction() && ThreadTransaction.runs()) {
                ThreadTransaction.running().exempt();
            }
        }
    }
}
