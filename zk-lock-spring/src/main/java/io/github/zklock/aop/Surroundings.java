package io.github.zklock.aop;

import io.github.zklock.support.MinimumHold;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What stands around every call: who watches, what runs already, what applies where annotations are silent, and where a
 * method runs whose lock came later than its caller could wait.
 */
record Surroundings(
        Supplier<CallObserver> observer,
        Supplier<TransactionTie> transactions,
        Supplier<ReactiveTransactions> reactiveTransactions,
        Supplier<CallDefaults> defaults,
        Supplier<MinimumHold> minimumHold,
        Executor calls) {}
