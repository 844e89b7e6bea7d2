package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.fixture.Actor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Annotated methods that are called inside a running transaction. */
class LockInTransactionTest extends TransactionTest {

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.github.zklock.transaction");

    private static ConfigurableApplicationContext application;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class Shop {}

    static class Orders {

        private final OrderTable table;

        Orders(OrderTable table) {
            this.table = table;
        }

        @DistributedLock("/orders")
        public void place(String id) {
            table.add(id);
        }

        @DistributedLock("/orders")
        public void fail(String id) {
            table.add(id);
            throw new IllegalArgumentException(id);
        }

        @DistributedLock("/orders")
        public int sizeOf(byte[] document) {
            return document.length;
        }

        @DistributedLock("/orders")
        @DistributedLock("/stock")
        public void placeFromStock(String id) {
            table.add(id);
        }

        @DistributedLock("/orders")
        public LockHandle handle(@Nullable LockHandle handle) {
            return handle;
        }

        @DistributedLock("/orders")
        public CompletableFuture<Boolean> inTransaction() {
            return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
        }

        @DistributedLock("/orders")
        public void placeAndLose(String id, @Nullable LockHandle handle) {
            table.add(id);
            lose(handle);
        }

        @DistributedLock(name = "/orders", onLost = OnLost.NOTIFY)
        public void placeAndLoseQuietly(String id, @Nullable LockHandle handle) {
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

    @BeforeEach
    void recordLog() {
        log.start();
        LOGGER.addAppender(log);
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        LOGGER.detachAppender(log);
        assertThat(heldNow()).isEmpty();
        assertThat(inspector().held()).isEmpty();
        awaitFreeForOthers("/orders");
    }

    @Test
    void aLockOutlivesItsMethodUntilTheCommit() throws InterruptedException {
        inTransaction(() -> {
            orders().place("commit");

            assertThat(heldNow()).containsExactly("/orders");
            assertThat(isFreeForOthers("/orders")).isFalse();
        });

        awaitFreeForOthers("/orders");
        assertThat(table().has("commit")).isTrue();
    }

    @Test
    void aLockOutlivesItsMethodUntilTheRollback() {
        assertThatThrownBy(() -> inTransaction(() -> {
                    orders().place("rollback");
                    assertThat(isFreeForOthers("/orders")).isFalse();
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");

        assertThat(table().has("rollback")).isFalse();
    }

    @Test
    void aRollbackOnlyTransactionKeepsItsLockUntilTheRollback() {
        template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            status.setRollbackOnly();
            orders().place("rollback only");
            assertThat(heldNow()).containsExactly("/orders");
        });

        assertThat(table().has("rollback only")).isFalse();
    }

    @Test
    void aMethodThatFailedKeepsItsLockForItsWrites() {
        inTransaction(() -> {
            assertThatThrownBy(() -> orders().fail("failed")).isInstanceOf(IllegalArgumentException.class);
            assertThat(heldNow()).containsExactly("/orders");
        });

        assertThat(table().has("failed")).isTrue();
    }

    @Test
    void furtherCallsInTheTransactionReenter() {
        inTransaction(() -> {
            orders().place("first");
            orders().place("second");

            assertThat(inspector().held())
                    .singleElement()
                    .extracting(LockInspector.Held::holds)
                    .isEqualTo(2);
        });
    }

    @Test
    void aKeptLockDoesNotKeepTheArgumentsOfItsCall() {
        inTransaction(() -> {
            WeakReference<byte[]> argument = argumentOfACall();

            Awaitility.await().until(() -> {
                System.gc();
                return argument.get() == null;
            });
            assertThat(heldNow()).containsExactly("/orders");
        });
    }

    private static WeakReference<byte[]> argumentOfACall() {
        byte[] document = new byte[1024];
        assertThat(orders().sizeOf(document)).isEqualTo(1024);
        return new WeakReference<>(document);
    }

    @Test
    void severalLocksOutliveTheirMethodTogether() {
        inTransaction(() -> {
            orders().placeFromStock("several");

            assertThat(heldNow()).containsExactlyInAnyOrder("/orders", "/stock");
        });
    }

    @Test
    void aLockOfANewTransactionInsideEndsWithThatOne() {
        inTransaction(() -> {
            template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(inner -> {
                orders().place("inner");
                assertThat(heldNow()).containsExactly("/orders");
            });

            assertThat(heldNow()).isEmpty();
        });
    }

    @Test
    void aLockOfTheOuterTransactionIsReenteredInANewOneInside() {
        inTransaction(() -> {
            orders().place("outer");
            template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                    .executeWithoutResult(inner -> orders().place("inside"));

            assertThat(heldNow()).containsExactly("/orders");
        });
    }

    @Test
    void aRollbackToASavepointLeavesTheLockWithTheTransaction() {
        inTransaction(() -> {
            template(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                orders().place("savepoint");
                nested.setRollbackOnly();
            });

            assertThat(heldNow()).containsExactly("/orders");
        });

        assertThat(table().has("savepoint")).isFalse();
    }

    @Test
    void anEmptyTransactionKeepsNoLock() {
        template(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult(empty -> {
            orders().place("empty");

            assertThat(heldNow()).isEmpty();
        });
    }

    @Test
    void aLockThatIsAcquiredAfterCompletionEndsWithItsMethod() {
        List<List<String>> held = new ArrayList<>();

        inTransaction(() -> afterCompletion(status -> {
            orders().place("afterwards");
            held.add(heldNow());
        }));

        assertThat(held).containsExactly(List.of());
    }

    @Test
    void synchronizationsOfTheMethodRunUnderTheLock() {
        List<List<String>> held = new ArrayList<>();

        inTransaction(() -> {
            afterCompletion(status -> held.add(heldNow()));
            orders().place("with callback");
        });

        assertThat(held).containsExactly(List.of("/orders"));
    }

    @Test
    void aLockThatIsLostBetweenMethodAndCommitRollsBack() {
        assertThatThrownBy(() -> inTransaction(() -> {
                    table().add("lost later");
                    lose(orders().handle(null));
                }))
                .isInstanceOf(LockLostException.class)
                .hasMessageEndingWith("its transaction is rolled back");

        assertThat(table().has("lost later")).isFalse();
    }

    @Test
    void aLockThatIsLostBetweenMethodAndCommitRollsBackWhereNobodyKnowsTheManager() {
        TransactionTemplate template = new TransactionTemplate(unknown(new JdbcTransactionManager(database())));

        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    table().add("unknown manager");
                    lose(orders().handle(null));
                }))
                .isInstanceOf(LockLostException.class);

        assertThat(table().has("unknown manager")).isFalse();
    }

    @Test
    void aLossInTheMethodThatTheCallerCatchesRollsBack() {
        assertThatThrownBy(() -> inTransaction(() -> assertThatThrownBy(() -> orders().placeAndLose("caught", null))
                        .isInstanceOf(LockLostException.class)))
                .isInstanceOf(LockLostException.class)
                .hasMessageEndingWith("its transaction is rolled back");

        assertThat(table().has("caught")).isFalse();
    }

    @Test
    void aLossThatIsOnlyNotifiedRollsBack() {
        assertThatThrownBy(() -> inTransaction(() -> orders().placeAndLoseQuietly("notified", null)))
                .isInstanceOf(LockLostException.class);

        assertThat(table().has("notified")).isFalse();
    }

    @Test
    void aLossAfterTheCommitIsWarnedOf() {
        inTransaction(() -> {
            LockHandle handle = orders().handle(null);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    lose(handle);
                }
            });
        });

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("Lock '/orders'")
                .contains("its transaction has committed nevertheless");
    }

    @Test
    void aLossInATransactionOfUnknownOutcomeIsWarnedOf() {
        TransactionTemplate template = new TransactionTemplate(unknown(new JdbcTransactionManager(database()) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                super.doCommit(status);
                TransactionSynchronizationManager.getSynchronizations().forEach(TransactionSynchronization::flush);
                throw new TransactionSystemException("no answer");
            }
        }));

        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    LockHandle handle = orders().handle(null);
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void flush() {
                            lose(handle);
                        }
                    });
                }))
                .isInstanceOf(TransactionSystemException.class);

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("it is unknown whether its transaction has committed");
    }

    @Test
    void aTransactionThatIsCompletedOnAnotherThreadGivesTheLockBackThere() throws InterruptedException {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        List<TransactionSynchronization> synchronizations;
        try {
            orders().handle(null);
            synchronizations = TransactionSynchronizationManager.getSynchronizations();
        } finally {
            TransactionSynchronizationManager.clear();
        }

        try (Actor coordinator = new Actor("coordinator")) {
            coordinator.act(() -> TransactionSynchronizationUtils.invokeAfterCompletion(
                    synchronizations, TransactionSynchronization.STATUS_ROLLED_BACK));
        }

        awaitFreeForOthers("/orders");
        // the next call or the next commit of the thread that opened the scope closes it
        orders().place("after another thread");
        assertThat(heldNow()).isEmpty();
    }

    @Test
    void aMethodThatReturnsAStageTakesNoPartInTheTransaction() {
        inTransaction(() -> {
            assertThat(Actor.join(orders().inTransaction())).isFalse();

            assertThat(heldNow()).isEmpty();
        });
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void inTransaction(Work work) {
        template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new UnexpectedRollbackException("Interrupted", e);
            }
        });
    }

    private static TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Returns a manager that is not a bean, and therefore has no listeners. */
    private static JdbcTransactionManager unknown(JdbcTransactionManager manager) {
        assertThat(manager.getTransactionExecutionListeners()).isEmpty();
        return manager;
    }

    private static void afterCompletion(Consumer<Integer> callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                callback.accept(status);
            }
        });
    }

    private static Orders orders() {
        return application.getBean(Orders.class);
    }

    private static OrderTable table() {
        return application.getBean(OrderTable.class);
    }

    private List<String> warnings() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static DataSource database() {
        return application.getBean(DataSource.class);
    }

    private static LockInspector inspector() {
        return application.getBean(LockRegistry.class).inspector();
    }
}
