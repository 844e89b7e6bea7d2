package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.util.context.ContextView;

/** Ties locks to the reactive transaction that the context of their subscription knows of. */
final class ContextTransactions implements ReactiveTransactions {

    private final InTransaction rule;

    /** Guards the synchronizations of all transactions against branches of one that end at the same time. */
    private final ReentrantLock registering = new ReentrantLock();

    ContextTransactions(InTransaction rule) {
        this.rule = rule;
    }

    @Override
    public TransactionTie of(ContextView context) {
        TransactionSynchronizationManager transaction = CurrentTransaction.in(context);
        return transaction == null ? TransactionTie.NONE : new Tie(transaction, context);
    }

    private final class Tie implements TransactionTie {

        private final TransactionSynchronizationManager transaction;
        private final ContextView context;

        private Tie(TransactionSynchronizationManager transaction, ContextView context) {
            this.transaction = transaction;
            this.context = context;
        }

        private boolean runs() {
            return transaction.isActualTransactionActive() && transaction.isSynchronizationActive();
        }

        @Override
        public void beforeAcquire(List<LockName> locks) {
            if (rule == InTransaction.REFUSE
                    && runs()
                    && !ThreadTransactionTie.areAmong(ReactiveLockContext.of(context), locks)) {
                throw Refusal.of(locks, transaction.getCurrentTransactionName());
            }
        }

        @Override
        public List<LockHandle> held() {
            return guarded(() -> !runs()
                    ? List.of()
                    : transaction.getSynchronizations().stream()
                            .filter(ReactiveHoldUntilCompletion.class::isInstance)
                            .map(hold -> ((ReactiveHoldUntilCompletion) hold).handle())
                            .toList());
        }

        @Override
        public boolean takeOver(Hold hold) {
            return guarded(() -> {
                if (rule != InTransaction.HOLD || !runs()) {
                    return false;
                }
                transaction.registerSynchronization(new ReactiveHoldUntilCompletion(hold));
                return true;
            });
        }

        @Override
        public void lost(LockLostException loss) {
            guarded(() -> {
                if (rule == InTransaction.HOLD && runs()) {
                    transaction.registerSynchronization(ReactiveCommitCheck.refusing(loss));
                }
                return true;
            });
        }

        private <T extends @Nullable Object> T guarded(Supplier<T> change) {
            registering.lock();
            try {
                return change.get();
            } finally {
                registering.unlock();
            }
        }
    }
}
