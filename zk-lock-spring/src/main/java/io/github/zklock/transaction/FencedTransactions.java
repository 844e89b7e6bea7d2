package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Fences each transaction that one manager begins under a lock, and checks before its commit that each lock that guards
 * it fences it. If the fence rejects the transaction when it begins, it is rolled back before its work begins, and the
 * caller receives the exception. Read-only and exempt transactions are not fenced.
 */
final class FencedTransactions implements TransactionExecutionListener {

    private final AbstractPlatformTransactionManager manager;
    private final Supplier<TransactionFence> fence;

    FencedTransactions(AbstractPlatformTransactionManager manager, Supplier<TransactionFence> fence) {
        this.manager = manager;
        this.fence = fence;
    }

    @Override
    public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
        // Spring also calls this method for a savepoint, which is part of a transaction that has begun before
        boolean begun = failure == null && execution.isNewTransaction();
        // the ownership check, which exempts the transaction, is called later
        if (!begun || execution.isReadOnly() || ExemptionAdvisor.concerns(execution.getTransactionName())) {
            return;
        }
        HoldUntilCompletion.closeCompleted();
        try {
            List<LockHandle> guards = guards();
            if (!guards.isEmpty()) {
                fence.get().begun(manager, guards);
            }
        } catch (RuntimeException | Error rejected) {
            rollBack((DefaultTransactionStatus) execution, rejected);
            throw rejected;
        }
    }

    @Override
    public void beforeCommit(TransactionExecution execution) {
        if (!ThreadTransaction.isChecked(execution)) {
            return;
        }
        List<LockHandle> guards = guards();
        if (!guards.isEmpty()) {
            fence.get().beforeCommit(manager, guards);
        }
    }

    private List<LockHandle> guards() {
        return fence.get().coveredOf(OwnershipCheck.guards());
    }

    /**
     * Rolls the transaction back. Spring considers it not begun after the exception: it does not end it, and resumes the
     * transaction around it. So the status for this rollback has no suspended transaction, which would be resumed twice.
     */
    private void rollBack(DefaultTransactionStatus begun, Throwable rejected) {
        DefaultTransactionStatus withoutSuspended = new DefaultTransactionStatus(
                begun.getTransactionName(),
                begun.getTransaction(),
                true,
                begun.isNewSynchronization(),
                false,
                begun.isReadOnly(),
                begun.isDebug(),
                null);
        try {
            manager.rollback(withoutSuspended);
        } catch (RuntimeException | Error failed) {
            rejected.addSuppressed(failed);
        }
    }
}
