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
    static OwnershipCheck zkLockOwnershipCheck(TransactionSettings settings) {
        return new OwnershipCheck(settings.checkPermits());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheckPostProcessor zkLockOwnershipCheckPostProcessor(
            ObjectProvider<OwnershipCheck> check, TransactionSettings settings, ListableBeanFactory beans) {
        return new OwnershipCheckPostProcessor(check, settings.exemptManagers(), new LazyFence(beans));
    }

    @Bean
    TransactionTie zkLockTransactionTie(TransactionSettings settings, OwnershipCheck check, ListableBeanFactory beans) {
        return new ThreadTransactionTie(settings.inTransaction(), check, new LazyFence(beans));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionalMethodAdvisor zkLockTransactionalMethodAdvisor(TransactionSettings settings) {
        return new TransactionalMethodAdvisor(new OwnershipCheck(settings.checkPermits()));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ExemptionAdvisor zkLockExemptionAdvisor() {
        return new ExemptionAdvisor();
    }
}
