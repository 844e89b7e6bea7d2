package io.github.zklock.transaction;

import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.autoconfigure.ZkLockProperties.InTransaction;
import io.github.zklock.autoconfigure.ZkLockProperties.TransactionCheck;
import java.util.Set;
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

    @Bean
    @ConditionalOnMissingBean(name = "zkLockOwnershipCheck")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheck zkLockOwnershipCheck(Environment environment) {
        return check(environment);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OwnershipCheckPostProcessor zkLockOwnershipCheckPostProcessor(
            ObjectProvider<OwnershipCheck> check, Environment environment) {
        return new OwnershipCheckPostProcessor(
                check, Set.copyOf(checkProperties(environment).exemptManagers()));
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionTie zkLockTransactionTie(Environment environment) {
        return new ThreadTransactionTie(rule(environment), check(environment));
    }

    private static OwnershipCheck check(Environment environment) {
        return new OwnershipCheck(checkProperties(environment).permits());
    }

    // binds single properties: if zk.lock.enabled is false, the others may be invalid

    private static InTransaction rule(Environment environment) {
        return Binder.get(environment)
                .bind("zk.lock.transaction", InTransaction.class)
                .orElse(InTransaction.HOLD);
    }

    private static TransactionCheck checkProperties(Environment environment) {
        return Binder.get(environment).bindOrCreate("zk.lock.transaction-check", TransactionCheck.class);
    }

    /** Advice inside of transactional methods. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Advisor.class)
    static class Methods {

        @Bean
        @ConditionalOnMissingBean(name = "zkLockTransactionalMethodAdvisor")
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static TransactionalMethodAdvisor zkLockTransactionalMethodAdvisor(Environment environment) {
            return new TransactionalMethodAdvisor(check(environment));
        }
    }

    /** Reactive transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Mono.class, Advisor.class})
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactiveTransactions zkLockReactiveTransactions(Environment environment) {
            return new ContextTransactions(rule(environment), check(environment));
        }
    }
}
