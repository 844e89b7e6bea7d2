package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
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
    void aTieOfTheApplicationTakesPrecedence() {
        runner.withBean("ownTie", TransactionTie.class, () -> TransactionTie.NONE)
                .run(context ->
                        assertThat(context).getBean(TransactionTie.class).isSameAs(TransactionTie.NONE));
    }

    @Test
    void aCheckOfTheApplicationTakesPrecedence() {
        TransactionExecutionListener own = new TransactionExecutionListener() {};

        runner.withBean("zkLockOwnershipCheck", TransactionExecutionListener.class, () -> own)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(OwnershipCheck.class)
                        .getBean(TransactionExecutionListener.class)
                        .isSameAs(own));
    }

    @Test
    void anAdvisorOfTheApplicationTakesPrecedence() {
        runner.withBean("zkLockTransactionalMethodAdvisor", String.class, () -> "own")
                .run(context -> assertThat(context).doesNotHaveBean(TransactionalMethodAdvisor.class));
    }

    @Test
    void reactiveTransactionsOfTheApplicationTakePrecedence() {
        runner.withBean("ownTransactions", ReactiveTransactions.class, () -> ReactiveTransactions.NONE)
                .run(context ->
                        assertThat(context).getBean(ReactiveTransactions.class).isSameAs(ReactiveTransactions.NONE));
    }

    @Test
    void threadsKeepTheirTieWithoutReactor() {
        runner.withClassLoader(new FilteredClassLoader(Mono.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(TransactionTie.class)
                        .hasSingleBean(TransactionalMethodAdvisor.class)
                        .doesNotHaveBean("zkLockReactiveTransactions"));
    }

    @Test
    void propertiesThatAreSwitchedOffNeedNotBeValid() {
        runner.withPropertyValues("zk.lock.enabled=false", "zk.lock.session-timeout=0s")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(TransactionTie.class));
    }

    @Test
    void nothingIsThereWithoutTransactions() {
        runner.withClassLoader(new FilteredClassLoader(TransactionExecutionListener.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TransactionTie.class));
    }
}
