package io.github.zklock.transaction;

import io.github.zklock.LockLostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;

/** A loss that is seen when the transaction is over, and nothing can be refused any more. */
final class LateLoss {

    private static final Logger LOG = LoggerFactory.getLogger(LateLoss.class);

    private LateLoss() {}

    /**
     * Tells it.
     *
     * @param status how the transaction has ended, as {@link TransactionSynchronization} says it; reactive ones say the
     *     same
     */
    static void report(LockLostException lost, int status) {
        switch (status) {
            case TransactionSynchronization.STATUS_COMMITTED ->
                LOG.warn(
                        "{}; its transaction has committed all the same, and others may have had the lock by then",
                        lost.getMessage());
            case TransactionSynchronization.STATUS_ROLLED_BACK ->
                LOG.debug("{}; its transaction was rolled back", lost.getMessage());
            default ->
                LOG.warn(
                        "{}; it is unknown whether its transaction has committed, and others may have had the lock by then",
                        lost.getMessage());
        }
    }
}
