package io.github.zklock.autoconfigure.method;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.ZkLockProperties.TransactionCheck;
import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.LockTransactionConfiguration;
import io.github.zklock.transaction.ReactiveLockTransactionConfiguration;
import io.github.zklock.transaction.TransactionSettings;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
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
import org.springframework.transaction.TransactionManager;
import reactor.core.publisher.Mono;

/** Auto-configuration of locks in transactions. */
// after the advisor of transactions: both have the lowest precedence, and the later one is inside
@AutoConfiguration(afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(TransactionExecutionListener.class)
// only this context: advisors of a parent context do not advise its beans
@ConditionalOnMissingBean(value = TransactionSettings.class, search = SearchStrategy.CURRENT)
@Import(LockTransactionConfiguration.class)
public final class ZkLockTransactionAutoConfiguration {

    /** Binds single properties. If {@code zk.lock.enabled} is false, the other properties may be invalid. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionSettings zkLockTransactionSettings(Environment environment) {
        Binder binder = Binder.get(environment);
        TransactionCheck check = binder.bindOrCreate("zk.lock.transaction-check", TransactionCheck.class);
        return new TransactionSettings(
                binder.bind("zk.lock.transaction", InTransaction.class).orElse(InTransaction.HOLD),
                check.isPermits(),
                Set.copyOf(check.getExemptManagers()));
    }

    /** Rejects an exemption that names no transaction manager: a misspelled name would exempt nothing. */
    @Bean
    static SmartInitializingSingleton zkLockExemptManagersCheck(
            TransactionSettings settings, ListableBeanFactory beans, Environment environment) {
        return () -> {
            List<String> managers = List.of(
                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, TransactionManager.class, true, false));
            List<String> unknown = settings.exemptManagers().stream()
                    .filter(name -> !managers.contains(name))
                    .sorted()
                    .toList();
            boolean isUsed = environment.getProperty("zk.lock.enabled", Boolean.class, true);
            // a context without transactions may inherit the property from a parent
            if (isUsed && !managers.isEmpty() && !unknown.isEmpty()) {
                throw new InvalidZkLockPropertyException(
                        "zk.lock.transaction-check.exempt-managers",
                        "contains " + String.join(", ", unknown) + ", but there is no transaction manager of that name",
                        "use names of beans: " + String.join(", ", managers));
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    @Import(ReactiveLockTransactionConfiguration.class)
    static class Reactive {}
}
