package io.github.zklock.transaction;

import io.github.zklock.LockLostException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The state that locks need of one transaction of a thread: its identity, whether it is exempt from the check, and the
 * loss that prevents its commit. It is a resource of the thread while its transaction is the current one.
 */
final class ThreadTransaction implements TransactionSynchronization, ResourceHolder {

    private static final Object KEY = ThreadTransaction.class;

    private volatile boolean over;
    private boolean exempt;
    private @Nullable LockLostException loss;

    private ThreadTransaction() {}

    /**
     * Returns whether the thread runs a transaction that locks can be tied to. False while callbacks run after the
     * completion.
     */
    static boolean runs() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /**
     * Returns the current transaction; null if none runs, or if neither a lock nor an exemption was registered with it.
     */
    static @Nullable ThreadTransaction current() {
        return (ThreadTransaction) TransactionSynchronizationManager.getResource(KEY);
    }

    /** Returns the current transaction. Precondition: a transaction {@link #runs()}. */
    static ThreadTransaction running() {
        ThreadTransaction current = current();
        if (current == null) {
            current = new ThreadTransaction();
            TransactionSynchronizationManager.registerSynchronization(current);
            TransactionSynchronizationManager.bindResource(KEY, current);
        }
        return current;
    }

    /**
     * Removes the state of a transaction that has completed. To be called when a transaction begins that suspends no
     * other: in a callback after a completion, the state can still be that of the completed transaction.
     */
    static void forgetCompleted() {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
    }

    /**
     * Rejects the commit of the current transaction if a loss prevents it. To be called after all callbacks, in which a
     * lock can be lost as well.
     */
    static void rejectIfRefused() {
        ThreadTransaction current = current();
        if (current != null && current.loss != null) {
            throw OwnershipCheck.refusal(current.loss);
        }
    }

    /** Exempts this transaction from the check of its locks. */
    void exempt() {
        exempt = true;
    }

    /** Returns whether the locks around a transaction are checked before its commit. */
    static boolean isChecked(TransactionExecution execution) {
        ThreadTransaction transaction = current();
        return transaction == null ? !execution.isReadOnly() : transaction.isChecked(execution.isReadOnly());
    }

    boolean isChecked(boolean readOnly) {
        return !readOnly && !exempt;
    }

    /** Prevents the commit because of a loss, even if the caller catches the exception or is only notified. */
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

    /**
     * Returns true after completion. JTA may complete on another thread; Spring then removes this resource at the next
     * lookup.
     */
    @Override
    public boolean isVoid() {
        return over;
    }

    @Override
    public void reset() {}

    @Override
    public void unbound() {}
}
