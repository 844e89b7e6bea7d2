package io.github.zklock.aop;

import java.lang.reflect.Method;
import java.util.List;
import reactor.util.context.ContextView;

/** The transactions of reactive calls, which the context of a subscription knows and no thread. */
public interface ReactiveTransactions {

    /** For applications without them. */
    ReactiveTransactions NONE = context -> TransactionTie.NONE;

    /** The key under which the context of a locked method's result has the tie of that call. */
    static Object key(Method method) {
        return List.of(TransactionTie.class, method);
    }

    /** What ties locks to the transaction that runs around a subscription with this context. */
    TransactionTie of(ContextView context);
}
