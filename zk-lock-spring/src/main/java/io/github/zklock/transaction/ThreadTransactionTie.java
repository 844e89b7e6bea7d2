package io.github.zklock.transaction;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.aop.TransactionTie;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Ties locks to the transaction of the calling thread: the one that runs when the method ends, which is that of its
 * caller. Each hold is one synchronization of it.
 *
 * <p>Not guaranteed: that every transaction can be seen. A manager without synchronization leaves no trace on the thread,
 * and an "empty" transaction is none.
 */
final class ThreadTransactionTie implements TransactionTie {

    private final InTransaction rule;

    ThreadTransactionTie(InTransaction rule) {
        this.rule = rule;
    }

    /** Once it is over, while its last callbacks run, there is nothing left to wait for. */
    private boolean runs() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    @Override
    public void beforeAcquire(List<LockName> locks) {
        OpenScopes.closeThoseLeft();
        if (rule == InTransaction.REFUSE && runs() && !areAmong(LockContext.current(), locks)) {
            throw Refusal.of(locks, TransactionSynchronizationManager.getCurrentTransactionName());
        }
    }

    @Override
    public boolean takeOver(Hold hold) {
        if (rule != InTransaction.HOLD || !runs()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new HoldUntilCompletion(hold, OpenScopes.ofThread()));
        return true;
    }

    @Override
    public void lost(LockLostException loss) {
        if (rule == InTransaction.HOLD && runs()) {
            // also where the caller catches the loss, or asked only to be notified
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw OwnershipCheck.refusal(loss);
                }
            });
        }
    }

    /** Whether these locks are only re-entered, which adds nothing that a transaction would have to outlive. */
    static boolean areAmong(List<LockHandle> held, List<LockName> locks) {
        return held.stream().map(LockHandle::name).collect(Collectors.toSet()).containsAll(locks);
    }
}
