package io.github.zklock.transaction;

import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.autoconfigure.ZkLockProperties.InTransaction;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Mono;

/** What ties locks to transactions, where there are any. */
// after the advisor of transactions, which has the lowest precedence too: of two of them, the later one stands inside
@AutoConfiguration(afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(TransactionExecutionListener.class)
public final class ZkLockTransactionAutoConfiguration {

    private static final String RULE = "zk.lock.transaction";

    @Bean
    @ConditionalOnMissingBean(name = "zkLockOwnershipCheck")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheck zkLockOwnershipCheck() {
        return new OwnershipCheck();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheckPostProcessor zkLockOwnershipCheckPostProcessor(ObjectProvider<OwnershipCheck> check) {
        return new OwnershipCheckPostProcessor(check);
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionTie zkLockTransactionTie(Environment environment) {
        return new ThreadTransactionTie(rule(environment));
    }

    /** This one only: {@code zk.lock.enabled=false} switches the others off, wrong ones as well. */
    private static InTransaction rule(Environment environment) {
        return Binder.get(environment).bind(RULE, InTransaction.class).orElse(InTransaction.HOLD);
    }

    /** The same for reactive transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Mono.class, Advisor.class})
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactiveTransactions zkLockReactiveTransactions(Environment environment) {
            return new ContextTransactions(rule(environment));
        }

        @Bean
        @ConditionalOnMissingBean(name = "zkLockReactiveCommitAdvisor")
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ReactiveCommitAdvisor zkLockReactiveCommitAdvisor() {
            return new ReactiveCommitAdvisor();
        }
    }
}
