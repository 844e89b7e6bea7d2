package io.github.zklock.transaction;

import io.github.zklock.aop.ReactiveTransactions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Declares the bean that ties locks to reactive transactions, in addition to the beans of {@link
 * LockTransactionConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
public final class ReactiveLockTransactionConfiguration {

    @Bean
    ReactiveTransactions zkLockReactiveTransactions(TransactionSettings settings, OwnershipCheck check) {
        return new ContextTransactions(settings.inTransaction(), check);
    }
}
