package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.aop.TransactionTie;
import io.github.zklock.autoconfigure.method.ZkLockTransactionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Mono;

class ZkLockTransactionAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class));

    @Test
    void locksAreTiedToTransactions() {
        runner.run(context ->
                assertThat(context).hasSingleBean(TransactionTie.class).hasSingleBean(OwnershipCheck.class));
    }

    @Test
    void threadTransactionsAreTiedWithoutReactor() {
        runner.withClassLoader(new FilteredClassLoader(Mono.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(TransactionTie.class)
                        .hasSingleBean(TransactionalMethodAdvisor.class)
                        .doesNotHaveBean("zkLockReactiveTransactions"));
    }

    @Test
    void disabledPropertiesNeedNotBeValid() {
        runner.withPropertyValues("zk.lock.enabled=false", "zk.lock.session-timeout=0s")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(TransactionTie.class));
    }

    @Test
    void noBeansAreDeclaredWithoutTransactions() {
        runner.withClassLoader(new FilteredClassLoader(TransactionExecutionListener.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TransactionTie.class));
    }
}
