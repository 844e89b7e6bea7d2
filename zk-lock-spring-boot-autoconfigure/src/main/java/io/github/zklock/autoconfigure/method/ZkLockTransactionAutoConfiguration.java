package io.github.zklock.autoconfigure.method;

import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.LockTransactionConfiguration;
import io.github.zklock.transaction.ReactiveLockTransactionConfiguration;
import io.github.zklock.transaction.TransactionSettings;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Mono;

/** Auto-configuration of locks around and inside transactions. */
// after the advisor of transactions, which has the lowest precedence too: of two of them, the later one stands inside
@AutoConfiguration(afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(TransactionExecutionListener.class)
@Import(LockTransactionConfiguration.class)
public final class ZkLockTransactionAutoConfiguration {

    /** Binds this property alone: with {@code zk.lock.enabled=false} invalid values of the others are ignored. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionSettings zkLockTransactionSettings(Environment environment) {
        return new TransactionSettings(Binder.get(environment)
                .bind("zk.lock.transaction", InTransaction.class)
                .orElse(InTransaction.HOLD));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Mono.class, Advisor.class})
    @Import(ReactiveLockTransactionConfiguration.class)
    static class Reactive {}
}
