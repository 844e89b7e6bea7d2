package io.github.zklock.transaction;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses every commit on a thread that has lost one of its locks, or cannot prove to hold it: the transaction is rolled
 * back. A lock in doubt counts as lost, since the next holder may already be at work.
 *
 * <p>Not guaranteed: that the lock is still held when the database commits, an instant later. Only the fencing token, in
 * the statement itself, closes that gap.
 */
final class OwnershipCheck implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        OpenScopes.closeThoseLeft();
        LockContext.current().forEach(OwnershipCheck::ensureHeld);
    }

    /**
     * Returns if nothing stands against a commit under this handle.
     *
     * @throws LockLostException which is no TransactionException on purpose: one of those would not roll back
     */
    static void ensureHeld(LockHandle handle) {
        for (LockHandle part : handle.parts()) {
            // who has closed a handle has declared its work done
            if (part.state() != LockState.RELEASED) {
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
