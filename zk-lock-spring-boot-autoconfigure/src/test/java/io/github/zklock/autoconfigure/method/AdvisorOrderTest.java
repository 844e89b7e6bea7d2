package io.github.zklock.autoconfigure.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockContext;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.config.EnableDistributedLocks;
import java.util.ArrayList;
import java.util.List;
import org.aspectj.weaver.Advice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The order of the lock and the transaction, and the settings that change it. */
class AdvisorOrderTest {

    private static final String[] LOCK_OUTSIDE = {
        "begin under [/work]", "body under [/work]", "committing under [/work]", "committed under [/work]"
    };

    /** The lock is acquired inside the transaction and released after it. */
    private static final String[] LOCK_INSIDE = {
        "begin under []", "body under [/work]", "committing under [/work]", "committed under []"
    };

    private final ApplicationContextRunner runner = Contexts.connected()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    TransactionManagerCustomizationAutoConfiguration.class,
                    ZkLockAopAutoConfiguration.class,
                    ZkLockTransactionAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1")
            .withBean(Events.class)
            .withBean(LockedWork.class);

    static class Events implements TransactionExecutionListener {

        private final List<String> all = new ArrayList<>();

        @Override
        public void beforeBegin(TransactionExecution transaction) {
            all.add("begin under " + heldNow());
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            all.add("committing under " + heldNow());
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            all.add("committed under " + heldNow());
        }
    }

    public interface Work {

        void run();
    }

    // public, because the class loader of a test defines the proxy
    public static class LockedWork implements Work {

        private final Events events;

        public LockedWork(Events events) {
            this.events = events;
        }

        @Override
        @Transactional
        @DistributedLock("/work")
        public void run() {
            events.all.add("body under " + heldNow());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 100)
    static class EarlyTransactions {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class OwnTransactionManagement {}

    @ParameterizedTest
    @CsvSource({
        "spring.aop.auto=true, false",
        "spring.aop.auto=false, false",
        "spring.aop.proxy-target-class=false, true"
    })
    void theLockStandsOutsideWithEveryKindOfProxy(String property, boolean ofInterfaces) {
        ApplicationContextRunner application = runner.withPropertyValues(property);

        assertEvents(application, LOCK_OUTSIDE);
        application.run(context -> assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Work.class)))
                .isEqualTo(ofInterfaces));
    }

    @Test
    void theLockStandsOutsideWithoutTheWeaver() {
        assertEvents(runner.withClassLoader(new FilteredClassLoader(Advice.class)), LOCK_OUTSIDE);
    }

    @Test
    void theLockStandsOutsideTransactionsThatTheApplicationSwitchesOnItself() {
        assertEvents(runner.withUserConfiguration(OwnTransactionManagement.class), LOCK_OUTSIDE);
    }

    @Test
    void aTransactionWithAnOrderOfItsOwnStandsOutsideTheLockWhichOutlivesIt() {
        assertEvents(runner.withUserConfiguration(EarlyTransactions.class), LOCK_INSIDE);
    }

    @Test
    void theOrderOfTheLockMovesItOutsideOfATransactionWithAnOrderOfItsOwn() {
        assertEvents(runner.withUserConfiguration(EarlyTransactions.class, EarlierLocks.class), LOCK_OUTSIDE);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(order = 99)
    static class EarlierLocks {}

    private static List<String> heldNow() {
        return LockContext.current().stream()
                .map(handle -> handle.name().value())
                .toList();
    }

    private static void assertEvents(ApplicationContextRunner application, String... events) {
        application.run(context -> {
            context.getBean(Work.class).run();

            assertThat(context.getBean(Events.class).all).containsExactly(events);
        });
    }
}
