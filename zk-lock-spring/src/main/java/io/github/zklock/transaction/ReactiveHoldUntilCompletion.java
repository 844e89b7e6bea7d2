package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.aop.TransactionTie;
import org.springframework.transaction.reactive.TransactionSynchronization;
import reactor.core.publisher.Mono;

/** What {@link HoldUntilCompletion} is to a transaction of a thread, to one of a subscription. */
final class ReactiveHoldUntilCompletion implements TransactionSynchronization {

    private final TransactionTie.Hold hold;

    ReactiveHoldUntilCompletion(TransactionTie.Hold hold) {
        this.hold = hold;
    }

    LockHandle handle() {
        return hold.acquired();
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return Mono.fromRunnable(() -> OwnershipCheck.ensureHeld(hold.acquired()));
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
        return Mono.fromRunnable(() -> {
            LockLostException lost = hold.giveBack();
            if (lost != null) {
                LateLoss.report(lost, status);
            }
        });
    }
}
