package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.aop.TransactionTie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock after its method until the transaction has committed, was rolled back, or has ended with an unknown
 * outcome. Synchronizations that were registered before the method ended still run under the lock.
 */
final class HoldUntilCompletion implements TransactionSynchronization {

    private static final Logger LOG = LoggerFactory.getLogger(HoldUntilCompletion.class);

    /** The holds whose scopes are open on the thread, for its current transaction and for suspended ones. */
    private static final ThreadLocal<List<HoldUntilCompletion>> OF_THREAD = new ThreadLocal<>();

    private final TransactionTie.Hold hold;
    private final ThreadTransaction transaction;
    private final Thread thread = Thread.currentThread();

    /** True if another thread has completed the transaction. Only the thread of the scope can close the scope. */
    private volatile boolean over;

    private HoldUntilCompletion(TransactionTie.Hold hold, ThreadTransaction transaction) {
        this.hold = hold;
        this.transaction = transaction;
    }

    /** Keeps the hold until the current transaction of the thread has completed. */
    static void keep(TransactionTie.Hold hold) {
        HoldUntilCompletion kept = new HoldUntilCompletion(hold, ThreadTransaction.running());
        TransactionSynchronizationManager.registerSynchronization(kept);
        List<HoldUntilCompletion> all = OF_THREAD.get();
        if (all == null) {
            all = new ArrayList<>(2);
            OF_THREAD.set(all);
        }
        all.add(kept);
    }

    /**
     * Returns the handles that the thread keeps for transactions other than this one. Each of those transactions checks
     * its own handles.
     */
    static Set<LockHandle> keptForOthersThan(@Nullable ThreadTransaction transaction) {
        List<HoldUntilCompletion> all = OF_THREAD.get();
        if (all == null) {
            return Set.of();
        }
        Set<LockHandle> others = Collections.newSetFromMap(new IdentityHashMap<>());
        all.stream()
                .filter(kept -> kept.transaction != transaction)
                .forEach(kept -> others.addAll(kept.hold.acquired().parts()));
        return others;
    }

    /** Closes the scopes of this thread whose transactions were completed by another thread. */
    static void closeCompleted() {
        List<HoldUntilCompletion> all = OF_THREAD.get();
        if (all != null) {
            all.stream().filter(kept -> kept.over).toList().forEach(HoldUntilCompletion::leave);
        }
    }

    private void leave() {
        List<HoldUntilCompletion> all = OF_THREAD.get();
        if (all != null && all.remove(this) && all.isEmpty()) {
            OF_THREAD.remove();
        }
        hold.leave();
    }

    /** Checks the lock for managers without {@link OwnershipCheck}, which checks again directly before the commit. */
    @Override
    public void beforeCommit(boolean readOnly) {
        if (transaction.isChecked(readOnly)) {
            OwnershipCheck.ensureHeld(hold.acquired());
        }
    }

    @Override
    public void afterCompletion(int status) {
        if (Thread.currentThread() == thread) {
            leave();
        } else {
            // JTA may complete the transaction on another thread
            over = true;
        }
        end(hold, status);
    }

    /**
     * Releases a lock whose transaction has completed, and logs a loss that was detected too late to prevent the
     * commit.
     *
     * @param status outcome of the transaction: a constant of {@link TransactionSynchronization}, whose values reactive
     *     transactions share
     */
    static void end(TransactionTie.Hold hold, int status) {
        LockLostException lost = hold.giveBack(status == TransactionSynchronization.STATUS_COMMITTED);
        if (lost == null || !OwnershipCheck.concerns(hold.acquired())) {
            return;
        }
        switch (status) {
            case TransactionSynchronization.STATUS_COMMITTED ->
                LOG.warn(
                        "{}; its transaction has committed nevertheless, and another holder may have acquired the lock before",
                        lost.getMessage());
            case TransactionSynchronization.STATUS_ROLLED_BACK ->
                LOG.debug("{}; its transaction was rolled back", lost.getMessage());
            default ->
                LOG.warn(
                        "{}; it is unknown whether its transaction has committed, and another holder may have acquired the lock before",
                        lost.getMessage());
        }
    }
}
