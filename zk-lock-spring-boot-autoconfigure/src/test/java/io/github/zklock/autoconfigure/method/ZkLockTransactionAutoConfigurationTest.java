package io.github.zklock.autoconfigure.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.aop.TransactionTie;
import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.TransactionSettings;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Mono;

class ZkLockTransactionAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class));

    @Test
    void locksAreTiedToTransactions() {
        runner.run(context ->
                assertThat(context).hasSingleBean(TransactionTie.class).hasBean("zkLockOwnershipCheck"));
    }

    @Test
    void threadTransactionsAreTiedWithoutReactor() {
        runner.withClassLoader(new FilteredClassLoader(Mono.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(TransactionTie.class)
                        .hasBean("zkLockTransactionalMethodAdvisor")
                        .doesNotHaveBean("zkLockReactiveTransactions"));
    }

    @Test
    void propertiesAreTheSettings() {
        runner.withPropertyValues("zk.lock.transaction=refuse")
                .run(context -> assertThat(context.getBean(TransactionSettings.class))
                        .isEqualTo(new TransactionSettings(InTransaction.REFUSE)));
    }

    @Test
    void withoutPropertiesLocksAreHeld() {
        runner.run(context -> assertThat(context.getBean(TransactionSettings.class))
                .isEqualTo(new TransactionSettings(InTransaction.HOLD)));
    }

    @Test
    void theTransactionManagerOfBootIsCheckedOnce() {
        runner.withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1")
                .run(context -> assertThat(
                                context.getBean(JdbcTransactionManager.class).getTransactionExecutionListeners())
                        .filteredOn(listener -> listener == context.getBean("zkLockOwnershipCheck"))
                        .hasSize(1));
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
