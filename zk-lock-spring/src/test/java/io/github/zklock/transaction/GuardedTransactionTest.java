package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.annotation.CommitDespiteLockLoss;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;

/** The locks that guard a transaction of a thread. */
class GuardedTransactionTest extends TransactionTest {

    private static ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class, Audit.class, AuditOfClass.class, Feed.class})
    static class Shop {

        @Bean
        JdbcTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    static class Audit {

        private final OrderTable table;

        Audit(OrderTable table) {
            this.table = table;
        }

        @CommitDespiteLockLoss
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void record(String id) {
            table.add(id);
        }

        @CommitDespiteLockLoss
        @Transactional
        public void recordInTheTransactionOfTheCaller(String id) {
            table.add(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void recordUndeclared(String id) {
            table.add(id);
        }

        @CommitDespiteLockLoss
        @Transactional(propagation = Propagation.SUPPORTS)
        public void recordByOverload(String id, Audit proxy) {
            proxy.recordByOverload(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void recordByOverload(String id) {
            table.add(id);
        }

        @Transactional(readOnly = true)
        public boolean has(String id) {
            return table.has(id);
        }
    }

    @CommitDespiteLockLoss
    static class AuditOfClass {

        private final OrderTable table;

        AuditOfClass(OrderTable table) {
            this.table = table;
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void record(String id) {
            table.add(id);
        }
    }

    static final class Prices implements Publisher<String> {

        @Override
        public void subscribe(Subscriber<? super String> subscriber) {
            Flux.just("42").subscribe(subscriber);
        }
    }

    static class Feed {

        @Transactional
        public Prices prices() {
            return new Prices();
        }
    }

    static class Orders {

        private final OrderTable table;

        Orders(OrderTable table) {
            this.table = table;
        }

        @DistributedLock("/kept")
        public LockHandle handle(@Nullable LockHandle handle) {
            return handle;
        }

        @DistributedLock(name = "/read", onLost = OnLost.NOTIFY)
        @Transactional(readOnly = true)
        public void readAndLose(@Nullable LockHandle handle) {
            lose(handle);
        }

        @DistributedLock(name = "/permits", permits = 2, onLost = OnLost.NOTIFY)
        @Transactional
        public void placeAndLosePermit(String id, @Nullable LockHandle handle) {
            table.add(id);
            lose(handle);
        }
    }

    @BeforeAll
    static void startApplication() {
        application = start(Shop.class);
    }

    @AfterAll
    static void stopApplication() {
        application.close();
    }

    @Test
    void anExemptNewTransactionRecordsTheLossOfALock() {
        assertRefused(() -> lostAround(
                "/exempt",
                () -> inTransaction(() -> {
                    table().add("refused with audit");
                    audit().record("audit of loss");
                })));

        assertThat(table().has("audit of loss")).isTrue();
        assertThat(table().has("refused with audit")).isFalse();
    }

    @Test
    void anExemptionOnTheClassRecordsTheLossOfALock() {
        lostAround(
                "/exempt-class", () -> application.getBean(AuditOfClass.class).record("audit of class"));

        assertThat(table().has("audit of class")).isTrue();
    }

    @Test
    void anExemptMethodThatBeginsItsTransactionRecordsTheLossOfALock() {
        lostAround("/exempt-required", () -> audit().recordInTheTransactionOfTheCaller("audit that begins"));

        assertThat(table().has("audit that begins")).isTrue();
    }

    @Test
    void anExemptMethodThatJoinsATransactionDoesNotExemptIt() {
        assertRefused(() -> lostAround(
                "/joined", () -> inTransaction(() -> audit().recordInTheTransactionOfTheCaller("audit that joins"))));

        assertThat(table().has("audit that joins")).isFalse();
    }

    @Test
    void aNewTransactionThatIsNotExemptIsRolledBack() {
        assertRefused(() -> lostAround("/undeclared", () -> audit().recordUndeclared("undeclared audit")));

        assertThat(table().has("undeclared audit")).isFalse();
    }

    @Test
    void theTransactionOfAnOverloadThatAnExemptMethodCallsIsRolledBack() {
        assertRefused(() -> lostAround("/overload", () -> audit().recordByOverload("audit by overload", audit())));

        assertThat(table().has("audit by overload")).isFalse();
    }

    @Test
    void aReadOnlyTransactionAfterALossCommits() {
        lostAround("/reading", () -> assertThat(audit().has("nothing")).isFalse());

        application.getBean(Orders.class).readAndLose(null);
    }

    @Test
    void aLockThatIsOnlyKeptForASuspendedTransactionDoesNotGuardANewOne() {
        assertRefused(() -> inTransaction(() -> {
            table().add("outer of kept");
            lose(application.getBean(Orders.class).handle(null));
            audit().recordUndeclared("beside a kept lock");
        }));

        assertThat(table().has("beside a kept lock")).isTrue();
        assertThat(table().has("outer of kept")).isFalse();
    }

    @Test
    void aLockThatIsAcquiredAgainInANewTransactionGuardsIt() {
        assertRefused(() -> inTransaction(() -> {
            LockHandle kept = application.getBean(Orders.class).handle(null);
            template("transactionManager", TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                    .executeWithoutResult(inner -> {
                        table().add("re-entered and lost");
                        application.getBean(Orders.class).handle(null);
                        lose(kept);
                    });
        }));

        assertThat(table().has("re-entered and lost")).isFalse();
    }

    @Test
    void aPublisherTypeOfTheApplicationDoesNotChangeATransactionalMethod() {
        assertThat(application.getBean(Feed.class).prices()).isInstanceOf(Prices.class);
    }

    @Test
    void aLostPermitDoesNotPreventTheCommit() {
        application.getBean(Orders.class).placeAndLosePermit("without permit", null);

        assertThat(table().has("without permit")).isTrue();
    }

    @Test
    void aLostPermitThatIsKeptDoesNotPreventTheCommit() {
        inTransaction(() -> application.getBean(Orders.class).placeAndLosePermit("without kept permit", null));

        assertThat(table().has("without kept permit")).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, DoubtfulOrders.class})
    static class DoubtfulShop {

        @Bean
        LocalZooKeeper ownServer() {
            return new LocalZooKeeper();
        }

        @Bean
        ZooKeeperLockRegistry doubtful(LocalZooKeeper ownServer) {
            return ZooKeeperLockRegistry.builder()
                    .connectString(ownServer.connectString())
                    .sessionTimeout(Duration.ofSeconds(6))
                    .closeOnExit(false)
                    .build();
        }
    }

    static class DoubtfulOrders {

        private final OrderTable table;
        private final LocalZooKeeper server;

        DoubtfulOrders(OrderTable table, LocalZooKeeper server) {
            this.table = table;
            this.server = server;
        }

        @DistributedLock(name = "/permits", permits = 2, registry = "doubtful", onLost = OnLost.NOTIFY)
        @Transactional
        public void place(String id, @Nullable LockHandle handle) {
            table.add(id);
            server.stop();
            awaitState(handle, LockState.SUSPENDED);
        }
    }

    @Test
    void aSuspendedPermitDoesNotPreventTheCommit() {
        try (ConfigurableApplicationContext doubtful = start(DoubtfulShop.class)) {
            doubtful.getBean(DoubtfulOrders.class).place("suspended permit", null);
            doubtful.getBean(LocalZooKeeper.class).start();
        }

        assertThat(table().has("suspended permit")).isTrue();
    }

    private static void assertRefused(Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOf(LockLostException.class)
                .hasMessageEndingWith("its transaction is rolled back");
    }

    /** Runs the work in the scope of a lock that is already lost. */
    private static void lostAround(String name, Runnable work) {
        LockHandle[] held = new LockHandle[1];
        try {
            application.getBean(LockRegistry.class).executeLocked(name, handle -> {
                held[0] = handle;
                lose(handle);
                work.run();
                return handle;
            });
        } catch (LockLostException told) {
            // the work has ended or was rejected
            if (told.getMessage().endsWith("its transaction is rolled back")) {
                throw told;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        }
        assertThat(held[0].isHeld()).isFalse();
    }

    private static void inTransaction(Runnable work) {
        template("transactionManager", TransactionDefinition.PROPAGATION_REQUIRED)
                .executeWithoutResult(status -> work.run());
    }

    private static TransactionTemplate template(String manager, int propagation) {
        TransactionTemplate template =
                new TransactionTemplate(application.getBean(manager, PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static Audit audit() {
        return application.getBean(Audit.class);
    }

    private static OrderTable table() {
        return application.getBean(OrderTable.class);
    }
}
