package io.github.zklock.aop;

import io.github.zklock.observation.LockObservations;
import io.github.zklock.support.MinimumHold;
import java.util.function.Supplier;

/** What all calls share: observation, transactions, defaults, and the threads of asynchronous methods. */
record Surroundings(
        Supplier<LockObservations> observations,
        Supplier<TransactionTie> transactions,
        Supplier<ReactiveTransactions> reactiveTransactions,
        Supplier<CallDefaults> defaults,
        Supplier<MinimumHold> minimumHold,
        CallThreads threads) {}
