package io.github.zklock.aop;

import reactor.util.context.ContextView;

/** The transactions of reactive calls, which the context of a subscription knows and no thread. */
public interface ReactiveTransactions {

    /** For applications without them. */
    ReactiveTransactions NONE = context -> TransactionTie.NONE;

    /** What ties locks to the transaction that runs around a subscription with this context. */
    TransactionTie of(ContextView context);
}
