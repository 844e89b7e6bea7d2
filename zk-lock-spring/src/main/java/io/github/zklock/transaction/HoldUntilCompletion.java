package io.github.zklock.transaction;

import io.github.zklock.LockLostException;
import io.github.zklock.aop.TransactionTie;
import java.util.Queue;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * A lock that outlives its method until the transaction has committed, was rolled back, or has ended in doubt. What was
 * registered with the transaction by the time the method ended, also by the method itself, is still done under the lock.
 */
final class HoldUntilCompletion implements TransactionSynchronization {

    private final TransactionTie.Hold hold;
    private final Queue<TransactionTie.Hold> ofThread;
    private final Thread thread = Thread.currentThread();

    HoldUntilCompletion(TransactionTie.Hold hold, Queue<TransactionTie.Hold> ofThread) {
        this.hold = hold;
        this.ofThread = ofThread;
    }

    /** What {@link OwnershipCheck} does for all managers that have it; this one sees to those that have not. */
    @Override
    public void beforeCommit(boolean readOnly) {
        OwnershipCheck.ensureHeld(hold.acquired());
    }

    @Override
    public void afterCompletion(int status) {
        if (Thread.currentThread() == thread) {
            hold.leave();
        } else {
            // JTA may complete on a thread of its own
            ofThread.add(hold);
        }
        LockLostException lost = hold.giveBack();
        if (lost != null) {
            LateLoss.report(lost, status);
        }
    }
}
