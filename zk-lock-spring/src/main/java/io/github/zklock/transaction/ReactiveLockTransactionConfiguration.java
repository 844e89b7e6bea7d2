package io.github.zklock.transaction;

import io.github.zklock.aop.ReactiveTransactions;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Declares the bean that ties locks to reactive transactions, in addition to the beans of {@link
 * LockTransactionConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
public final class ReactiveLockTransactionConfiguration {

    @Bean
    ReactiveTransactions zkLockReactiveTransactions(TransactionSettings settings, ListableBeanFactory beans) {
        return new ContextTransactions(
                settings.inTransaction(),
                new LazyFence(beans),
                SingletonSupplier.of(() ->
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, ReactiveTransactionManager.class)
                                        .length
                                > 0));
    }
}
