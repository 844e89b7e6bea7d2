package io.github.zklock.transaction;

import io.github.zklock.LockLostException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What locks need to know of one transaction of a thread: its identity, whether it is exempt from the check, and the loss
 * that refuses its commit. A resource of the thread while its transaction is the current one there.
 */
final class ThreadTransaction implements TransactionSynchronization, ResourceHolder {

    private static final Object KEY = ThreadTransaction.class;

    private volatile boolean over;
    private boolean exempt;
    private @Nullable LockLostException loss;

    private ThreadTransaction() {}

    /** Whether a transaction runs that locks can be tied to: false while the callbacks after its completion run. */
    static boolean runs() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** The current transaction; null if none runs, or no lock or exemption has concerned it yet. */
    static @Nullable ThreadTransaction current() {
        return (ThreadTransaction) TransactionSynchronizationManager.getResource(KEY);
    }

    /** The current transaction. Requires that it {@link #runs()}. */
    static ThreadTransaction running() {
        ThreadTransaction current = current();
        if (current == null) {
            current = new ThreadTransaction();
            TransactionSynchronizationManager.registerSynchronization(current);
            TransactionSynchronizationManager.bindResource(KEY, current);
        }
        return current;
    }

    /** Exempts this transaction from the check of its locks. */
    void exempt() {
        exempt = true;
    }

    boolean isChecked(boolean readOnly) {
        return !readOnly && !exempt;
    }

    /** Refuses the commit for a loss, even if the caller catches its exception or wants only to be notified. */
    void refuse(LockLostException lost) {
        loss = lost;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (loss != null && isChecked(readOnly)) {
            throw OwnershipCheck.refusal(loss);
        }
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(KEY, this);
    }

    @Override
    public void afterCompletion(int status) {
        if (current() == this) {
            TransactionSynchronizationManager.unbindResource(KEY);
        }
        over = true;
    }

    /** True after completion. JTA may complete on another thread; Spring then drops this resource at the next look-up. */
    @Override
    public boolean isVoid() {
        return over;
    }

    @Override
    public void reset() {}

    @Override
    public void unbound() {}
}
