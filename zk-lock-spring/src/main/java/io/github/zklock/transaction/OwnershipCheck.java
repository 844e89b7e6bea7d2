package io.github.zklock.transaction;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Prevents the commit of a transaction if a lock that guards it is lost, or cannot be proven to be held. The
 * transaction is then rolled back. A suspended lock counts as lost, because the next holder may already work.
 *
 * <p>Locks that guard the transaction of a thread are the locks in open scopes of the thread and the locks that are
 * kept until this transaction has completed. A lock that is kept only for another, suspended transaction does not guard
 * this one. Transactions that are read-only or exempt are not checked, and permits of semaphores do not guard: they
 * limit the number of calls and protect no data.
 *
 * <p>Not guaranteed: that the lock is still held when the database commits, shortly after the check. Only a fencing
 * token in the database statement covers that time.
 */
final class OwnershipCheck implements TransactionExecutionListener {

    /** Exempts a transaction that an exempt method begins. */
    @Override
    public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
        // Spring also calls this method for a savepoint, which is part of a transaction that has begun before
        if (failure != null || !execution.isNewTransaction()) {
            return;
        }
        if (execution instanceof DefaultTransactionStatus status && status.isNewSynchronization()) {
            ThreadTransaction.forgetCompleted();
        }
        if (ThreadTransaction.runs() && ExemptionAdvisor.concerns(execution.getTransactionName())) {
            ThreadTransaction.running().exempt();
        }
    }

    @Override
    public void beforeCommit(TransactionExecution execution) {
        HoldUntilCompletion.closeCompleted();
        if (ThreadTransaction.isChecked(execution)) {
            ThreadTransaction.rejectIfRefused();
            guards().forEach(OwnershipCheck::ensureHeld);
        }
    }

    /** Returns the locks that guard the current transaction of the thread; closed handles are left out. */
    static List<LockHandle> guards() {
        List<LockHandle> open = LockContext.current();
        if (open.isEmpty()) {
            return open;
        }
        Set<LockHandle> ofOthers = HoldUntilCompletion.keptForOthersThan(ThreadTransaction.current());
        return open.stream()
                // a closed handle means that the work under the lock has ended
                .filter(handle -> !ofOthers.contains(handle) && handle.state() != LockState.RELEASED)
                .toList();
    }

    /** Returns whether the loss of this handle prevents a commit. */
    static boolean concerns(Handle handle) {
        return handle.parts().stream().anyMatch(part -> part.kind() != LockKind.PERMITS);
    }

    /**
     * Returns if this handle permits a commit.
     *
     * @throws LockLostException if it does not; not a TransactionException, because Spring would not roll back after
     *     one
     */
    static void ensureHeld(Handle handle) {
        for (LockHandle part : handle.parts()) {
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
}
