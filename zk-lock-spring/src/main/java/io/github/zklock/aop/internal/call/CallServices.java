package io.github.zklock.aop.internal.call;

import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.observation.LockObservations;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The beans that all calls use. Each bean is looked up at its first use, because the advisor exists before most beans.
 */
public final class CallServices {

    /** The name of the bean that runs asynchronous methods. */
    public static final String TASK_EXECUTOR = "zkLockTaskExecutor";

    final Supplier<LockObservations> observations;
    final Supplier<TransactionTie> transactions;
    /** Initialized by the first reactive call, and only if Reactor is present. */
    final Supplier<ReactiveTransactions> reactiveTransactions;

    final CallThreads threads;

    public CallServices(ConfigurableListableBeanFactory beans) {
        this.observations = SingletonSupplier.of(() -> LockObservations.of(beans));
        this.transactions = SingletonSupplier.of(
                () -> beans.getBeanProvider(TransactionTie.class).getIfAvailable(() -> TransactionTie.NONE));
        this.reactiveTransactions = SingletonSupplier.of(() ->
                beans.getBeanProvider(ReactiveTransactions.class).getIfAvailable(() -> ReactiveTransactions.NONE));
        this.threads = new CallThreads(beans);
    }
}
