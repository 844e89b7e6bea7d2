package io.github.zklock.transaction;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.config.TestApplication;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Applications with a database, transactions and annotated beans. */
abstract class TransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static ZooKeeperLockRegistry others;

    @BeforeAll
    static void startOthers() {
        others = TestApplication.registry();
    }

    @AfterAll
    static void stopOthers() {
        others.close();
    }

    /** Returns a registry that represents another process. */
    static LockRegistry others() {
        return others;
    }

    /** Starts an application with these beans. All applications of one JVM share their database. */
    static ConfigurableApplicationContext start(Class<?> beans) {
        return start(TestApplication.of(), beans);
    }

    static ConfigurableApplicationContext start(TestApplication application, Class<?> beans) {
        return application.withBeans(Platform.class, beans).start();
    }

    /** Returns the names of the locks of the running call, outermost first. */
    static List<String> heldNow() {
        return LockContext.current().stream()
                .map(handle -> handle.name().value())
                .toList();
    }

    /** Makes the holder lose the lock, and returns when the handle has detected the loss. */
    static void lose(LockHandle handle) {
        handle.loseAfter(Duration.ofNanos(1));
        awaitState(handle, LockState.LOST);
    }

    static void awaitState(LockHandle handle, LockState state) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> handle.state() == state);
    }

    static boolean isFreeForOthers(String name) throws InterruptedException {
        Optional<LockHandle> theirs = others.lock(name).tryAcquire();
        theirs.ifPresent(LockHandle::close);
        return theirs.isPresent();
    }

    /** Returns when another process can acquire the lock. */
    static void awaitFreeForOthers(String name) throws InterruptedException {
        others.lock(name).acquire(PATIENCE).close();
    }

    /** A database, and what Spring Boot declares for it. A test replaces a bean by one of the same name. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Platform {

        @Bean
        DataSource dataSource() {
            DataSource database = new DriverManagerDataSource("jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1");
            JdbcClient tables = JdbcClient.create(database);
            tables.sql("create table if not exists orders (id varchar primary key)")
                    .update();
            tables.sql("create table if not exists counters (id varchar primary key, amount int)")
                    .update();
            return database;
        }

        @Bean
        JdbcClient jdbcClient(DataSource database) {
            return JdbcClient.create(database);
        }

        @Bean
        JdbcTransactionManager transactionManager(
                DataSource database, ObjectProvider<TransactionExecutionListener> listeners) {
            JdbcTransactionManager manager = new JdbcTransactionManager(database);
            manager.setTransactionExecutionListeners(listeners.orderedStream().toList());
            return manager;
        }
    }

    /** Enables locks that a running transaction refuses. */
    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(proxyTargetClass = true, inTransaction = InTransaction.REFUSE)
    static class Refusing {}
}
