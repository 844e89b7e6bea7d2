package io.github.zklock.autoconfigure.method;

import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.LockTransactionConfiguration;
import io.github.zklock.transaction.ReactiveLockTransactionConfiguration;
import io.github.zklock.transaction.TransactionSettings;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Mono;

/** Auto-configuration of locks in transactions. */
// after the advisor of transactions: both have the lowest precedence, and the later one is inside
@AutoConfiguration(afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(TransactionExecutionListener.class)
// only this context: advisors of a parent context do not advise its beans
@ConditionalOnMissingBean(value = TransactionSettings.class, search = SearchStrategy.CURRENT)
@Import(LockTransactionConfiguration.class)
public final class ZkLockTransactionAutoConfiguration {

    /** Binds a single property. If {@code zk.lock.enabled} is false, the other properties may be invalid. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionSettings zkLockTransactionSettings(Environment environment) {
        return new TransactionSettings(Binder.get(environment)
                .bind("zk.lock.transaction", InTransaction.class)
                .orElse(InTransaction.HOLD));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    @Import(ReactiveLockTransactionConfiguration.class)
    static class Reactive {}
}
