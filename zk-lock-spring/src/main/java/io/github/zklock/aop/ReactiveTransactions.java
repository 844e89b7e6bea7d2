package io.github.zklock.aop;

import java.lang.reflect.Method;
import java.util.List;
import reactor.util.context.ContextView;

/** Finds the transaction of a reactive call, which is stored in the context of the subscription and on no thread. */
public interface ReactiveTransactions {

    /** Finds no transaction. Used in applications without reactive transactions. */
    ReactiveTransactions NONE = context -> TransactionTie.NONE;

    /** Returns the key under which the subscriber context stores the tie of a call of this method. */
    static Object key(Method method) {
        return List.of(TransactionTie.class, method);
    }

    /** Returns the tie of locks to the transaction of a subscription with this context. */
    TransactionTie of(ContextView context);
}
