package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import java.util.List;
import org.springframework.transaction.reactive.TransactionSynchronization;
import reactor.core.publisher.Mono;

/** Refuses the commit of one reactive transaction if a lock around it is lost, or cannot be proven to be held. */
final class ReactiveCommitCheck implements TransactionSynchronization {

    private final Runnable check;

    private ReactiveCommitCheck(Runnable check) {
        this.check = check;
    }

    static ReactiveCommitCheck of(List<LockHandle> handles) {
        return new ReactiveCommitCheck(() -> handles.forEach(OwnershipCheck::ensureHeld));
    }

    static ReactiveCommitCheck refusing(LockLostException loss) {
        return new ReactiveCommitCheck(() -> {
            throw OwnershipCheck.refusal(loss);
        });
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return Mono.fromRunnable(check);
    }
}
