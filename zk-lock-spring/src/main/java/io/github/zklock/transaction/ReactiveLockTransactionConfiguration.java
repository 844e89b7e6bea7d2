package io.github.zklock.transaction;

import io.github.zklock.aop.ReactiveTransactions;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The beans that tie locks to reactive transactions. An importing configuration provides the settings. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ReactiveLockTransactionConfiguration {

    @Bean
    ReactiveTransactions zkLockReactiveTransactions(TransactionSettings settings) {
        return new ContextTransactions(settings.inTransaction());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCommitAdvisor zkLockReactiveCommitAdvisor() {
        return new ReactiveCommitAdvisor();
    }
}
