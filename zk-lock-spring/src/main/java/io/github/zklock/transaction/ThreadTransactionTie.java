package io.github.zklock.transaction;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.aop.TransactionTie;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Ties locks to the transaction that the calling thread runs when the method ends, which is the transaction of the
 * caller. Each hold is one synchronization of it.
 *
 * <p>Not guaranteed: that every transaction is detected. A transaction manager without synchronization leaves no trace
 * on the thread, and an "empty" transaction does not count.
 */
final class ThreadTransactionTie implements TransactionTie {

    private final InTransaction rule;
    private final Supplier<TransactionFence> fence;

    ThreadTransactionTie(InTransaction rule, Supplier<TransactionFence> fence) {
        this.rule = rule;
        this.fence = fence;
    }

    @Override
    public TransactionTie forCall(List<LockName> locks) {
        HoldUntilCompletion.closeCompleted();
        if (!ThreadTransaction.runs()) {
            return this;
        }
        if (rule == InTransaction.REFUSE && !areAmong(LockContext.current(), locks)) {
            throw refusal(locks, TransactionSynchronizationManager.getCurrentTransactionName());
        }
        // with RELEASE, the lock is not kept, but its fence guards the transaction all the same
        return rule == InTransaction.REFUSE ? this : new OfCall(ThreadTransaction.running());
    }

    @Override
    public boolean takeOver(Hold hold) {
        if (!holds()) {
            return false;
        }
        HoldUntilCompletion.keep(hold);
        return true;
    }

    @Override
    public void lost(Hold hold, LockLostException loss) {
        if (holds() && OwnershipCheck.concerns(hold.acquired())) {
            ThreadTransaction.running().refuse(loss);
        }
    }

    /** Fences the current transaction by locks that were acquired inside it. */
    private void fence(List<LockHandle> acquired) {
        ThreadTransaction transaction = ThreadTransaction.running();
        if (acquired.isEmpty()
                || !transaction.isChecked(TransactionSynchronizationManager.isCurrentTransactionReadOnly())) {
            return;
        }
        try {
            fence.get().acquired(acquired);
        } catch (LockLostException overtaken) {
            transaction.refuse(overtaken);
            throw overtaken;
        }
    }

    private boolean holds() {
        return rule == InTransaction.HOLD && ThreadTransaction.runs();
    }

    /** Returns whether the call only re-enters these locks, so that the transaction need not keep them. */
    static boolean areAmong(List<LockHandle> held, List<LockName> locks) {
        return held.stream().map(LockHandle::name).collect(Collectors.toSet()).containsAll(locks);
    }

    /** Creates the exception for a call whose lock must not be acquired inside a transaction. */
    static IllegalStateException refusal(List<LockName> locks, @Nullable String transaction) {
        return new IllegalStateException(
                ("Lock '%s' not acquired: transaction '%s' runs already, and zk.lock.transaction is 'refuse'. Call the locked"
                                + " method before the transaction begins, or set zk.lock.transaction to 'hold', which keeps"
                                + " the lock until the transaction is over")
                        .formatted(
                                locks.stream().map(LockName::value).collect(Collectors.joining("', '")),
                                transaction == null ? "without a name" : transaction));
    }

    /** The tie of a call inside a transaction. The method takes part in that transaction, or runs outside it. */
    private final class OfCall implements TransactionTie {

        private final ThreadTransaction around;
        private List<LockHandle> toFence = List.of();
        private boolean apart;

        private OfCall(ThreadTransaction around) {
            this.around = around;
        }

        @Override
        public void acquired(Handle handle, Method method, Class<?> targetClass) {
            List<LockHandle> covered = fence.get().coveredOf(handle.parts());
            if (TransactionalMethodAdvisor.advises(method, targetClass)) {
                // the method may begin a transaction of its own; entered() decides
                toFence = covered;
            } else {
                fence(covered);
            }
        }

        @Override
        public void entered() {
            apart = ThreadTransaction.current() != around;
            if (!apart) {
                fence(toFence);
            }
        }

        @Override
        public boolean takeOver(Hold hold) {
            return !apart && ThreadTransactionTie.this.takeOver(hold);
        }

        @Override
        public void lost(Hold hold, LockLostException loss) {
            if (!apart) {
                ThreadTransactionTie.this.lost(hold, loss);
            }
        }
    }
}
