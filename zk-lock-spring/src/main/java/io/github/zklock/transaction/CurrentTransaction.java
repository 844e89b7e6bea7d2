package io.github.zklock.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The reactive transaction around a subscription. */
final class CurrentTransaction {

    private CurrentTransaction() {}

    /** What knows the transaction of this context; null if there is none. */
    static @Nullable TransactionSynchronizationManager in(ContextView context) {
        // answers at once, from the context alone
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .contextWrite(context)
                .toFuture()
                .getNow(null);
    }
}
