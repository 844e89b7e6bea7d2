package io.github.zklock.transaction;

import io.github.zklock.aop.TransactionTie;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Declares the beans that tie locks to the transactions of threads. An importing configuration provides the settings.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class LockTransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheck zkLockOwnershipCheck() {
        return new OwnershipCheck();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheckPostProcessor zkLockOwnershipCheckPostProcessor(
            ObjectProvider<OwnershipCheck> check, ListableBeanFactory beans) {
        return new OwnershipCheckPostProcessor(check, new LazyFence(beans));
    }

    @Bean
    TransactionTie zkLockTransactionTie(TransactionSettings settings, ListableBeanFactory beans) {
        return new ThreadTransactionTie(settings.inTransaction(), new LazyFence(beans));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionalMethodAdvisor zkLockTransactionalMethodAdvisor() {
        return new TransactionalMethodAdvisor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ExemptionAdvisor zkLockExemptionAdvisor() {
        return new ExemptionAdvisor();
    }
}
