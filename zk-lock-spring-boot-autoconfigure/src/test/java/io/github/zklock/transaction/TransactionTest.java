package io.github.zklock.transaction;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockTransactionAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Applications with a database, transactions and annotated beans, on a real server. */
abstract class TransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static LocalZooKeeper server;
    private static ZooKeeperLockRegistry others;

    @BeforeAll
    static void startServer() {
        server = new LocalZooKeeper();
        others = registry();
    }

    @AfterAll
    static void stopServer() {
        others.close();
        server.close();
    }

    static LocalZooKeeper server() {
        return server;
    }

    /** Returns a registry that represents another process. */
    static LockRegistry others() {
        return others;
    }

    static ZooKeeperLockRegistry registry() {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .closeOnExit(false)
                .build();
    }

    /** Starts an application with these beans. All applications of one JVM share their database. */
    static ConfigurableApplicationContext start(Class<?> beans, String... properties) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(Platform.class, beans)
                .web(WebApplicationType.NONE)
                .initializers((GenericApplicationContext context) -> context.registerBean(
                        "zkLockRegistry", LockRegistry.class, (Supplier<LockRegistry>) TransactionTest::registry))
                .properties(
                        "spring.datasource.url=jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1",
                        "spring.main.banner-mode=off",
                        "spring.main.log-startup-info=false")
                .properties(properties)
                .run();
        application.getBeanProvider(JdbcClient.class).ifAvailable(TransactionTest::createTables);
        return application;
    }

    private static void createTables(JdbcClient database) {
        database.sql("create table if not exists orders (id varchar primary key)")
                .update();
        database.sql("create table if not exists counters (id varchar primary key, amount int)")
                .update();
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

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcClientAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        TransactionManagerCustomizationAutoConfiguration.class,
        ZkLockAopAutoConfiguration.class,
        ZkLockTransactionAutoConfiguration.class
    })
    static class Platform {}
}
