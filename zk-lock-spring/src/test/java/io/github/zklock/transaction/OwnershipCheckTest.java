package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

class OwnershipCheckTest extends TransactionTest {

    private static ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class Shop {

        @Bean
        Refusals refusals() {
            return new Refusals();
        }
    }

    static class Orders {

        private final OrderTable table;

        Orders(OrderTable table) {
            this.table = table;
        }

        @DistributedLock("/place")
        @Transactional
        public void place(String id, boolean losing, @Nullable LockHandle handle) {
            table.add(id);
            if (losing) {
                lose(handle);
            }
        }
    }

    /** Records the exceptions of commits. */
    static class Refusals implements TransactionExecutionListener {

        private final List<Boolean> rolledBack = new ArrayList<>();

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            rolledBack.add(failure == null);
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
    void aTransactionUnderAHeldLockCommits() {
        bean(Orders.class).place("held", false, null);

        assertThat(bean(OrderTable.class).has("held")).isTrue();
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsTheTransactionBack() {
        bean(Refusals.class).rolledBack.clear();

        assertThatThrownBy(() -> bean(Orders.class).place("lost", true, null))
                .asInstanceOf(type(LockLostException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.name().value()).isEqualTo("/place");
                    assertThat(refusal).hasMessageEndingWith("its transaction is rolled back");
                    assertThat(refusal.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
                });

        assertThat(bean(OrderTable.class).has("lost")).isFalse();
        assertThat(bean(Refusals.class).rolledBack).containsExactly(true);
    }

    @Test
    void aSessionThatEndsBeforeTheCommitRollsTheTransactionBack() {
        try (ZooKeeperLockRegistry registry = TestApplication.registry()) {
            assertThatThrownBy(() -> registry.executeLocked("/expired", handle -> {
                        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                            bean(OrderTable.class).add("expired");
                            String session = registry.inspector().session().id();
                            TestApplication.server().expire(Long.parseUnsignedLong(session, 16));
                            awaitState(handle, LockState.LOST);
                        });
                        return "not reached";
                    }))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageEndingWith("its transaction is rolled back");
        }

        assertThat(bean(OrderTable.class).has("expired")).isFalse();
    }

    @Test
    void aLockThatCannotBeProvenToBeHeldRollsTheTransactionBack() {
        try (LocalZooKeeper own = new LocalZooKeeper();
                ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                        .connectString(own.connectString())
                        .sessionTimeout(Duration.ofSeconds(6))
                        .closeOnExit(false)
                        .build()) {
            assertThatThrownBy(() -> registry.executeLocked("/doubt", handle -> {
                        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                            bean(OrderTable.class).add("doubt");
                            own.stop();
                            awaitState(handle, LockState.SUSPENDED);
                        });
                        return "not reached";
                    }))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("cannot be proven")
                    .hasMessageEndingWith("its transaction is rolled back");
            own.start();
        }

        assertThat(bean(OrderTable.class).has("doubt")).isFalse();
    }

    @Test
    void theExceptionOfATemplateIsThatOfTheCheck() throws InterruptedException {
        List<Throwable> seen = new ArrayList<>();

        assertThatThrownBy(() -> registryBean().executeLocked("/template", handle -> {
                    try {
                        transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                                .executeWithoutResult(status -> lose(handle));
                    } catch (LockLostException refused) {
                        seen.add(refused);
                        throw refused;
                    }
                    return "not reached";
                }))
                .satisfies(thrown -> assertThat(seen).containsExactly(thrown));
    }

    @Test
    void aNewTransactionInsideOneUnderALostLockIsRolledBackToo() {
        assertThatThrownBy(() -> registryBean().executeLocked("/audit", handle -> {
                    lose(handle);
                    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                            .executeWithoutResult(outer -> transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                    .executeWithoutResult(
                                            inner -> bean(OrderTable.class).add("audit")));
                    return "not reached";
                }))
                .isInstanceOf(LockLostException.class);

        assertThat(bean(OrderTable.class).has("audit")).isFalse();
    }

    @Test
    void aSavepointUnderALostLockDoomsTheWholeTransaction() {
        TransactionTemplate whole = transaction(TransactionDefinition.PROPAGATION_REQUIRED);
        List<String> refused = new ArrayList<>();

        assertThatThrownBy(() -> whole.executeWithoutResult(outer -> {
                    bean(OrderTable.class).add("savepoint");
                    try {
                        registryBean().executeLocked("/savepoint", handle -> {
                            transaction(TransactionDefinition.PROPAGATION_NESTED)
                                    .executeWithoutResult(nested -> lose(handle));
                            return "not reached";
                        });
                    } catch (LockLostException | InterruptedException lost) {
                        refused.add(lost.getMessage());
                    }
                }))
                .isInstanceOf(RuntimeException.class);

        assertThat(refused).hasSize(1);
        assertThat(bean(OrderTable.class).has("savepoint")).isFalse();
    }

    @Test
    void aReleasedHandleDoesNotPreventACommit() throws InterruptedException {
        LockHandle handle = registryBean().lock("/given-back").acquire();

        try (LockContext.Scope scope = LockContext.open(handle)) {
            handle.close();
            transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                    .executeWithoutResult(status -> bean(OrderTable.class).add("given back"));
        }

        assertThat(bean(OrderTable.class).has("given back")).isTrue();
    }

    @Test
    void aTransactionIsNotCheckedForLocksOfOtherThreads() throws InterruptedException {
        LockHandle lost = registryBean().lock("/elsewhere").acquire();
        lose(lost);

        assertThatCode(() -> transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                        .executeWithoutResult(status -> bean(OrderTable.class).add("elsewhere")))
                .doesNotThrowAnyException();
        assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
    }

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class HandMade {

        @Bean
        JdbcTransactionManager transactionManager(DataSource database) {
            JdbcTransactionManager made = new JdbcTransactionManager(database);
            made.setTransactionExecutionListeners(List.of(new Refusals()));
            return made;
        }
    }

    @Test
    void aTransactionManagerThatIsMadeByHandIsCheckedToo() {
        try (ConfigurableApplicationContext handMade = start(HandMade.class)) {
            assertThatThrownBy(() -> handMade.getBean(Orders.class).place("hand-made", true, null))
                    .isInstanceOf(LockLostException.class);

            assertThat(handMade.getBean(OrderTable.class).has("hand-made")).isFalse();
            assertThat(handMade.getBean(JdbcTransactionManager.class).getTransactionExecutionListeners())
                    .hasExactlyElementsOfTypes(Refusals.class, OwnershipCheck.class);
        }
    }

    @Test
    void aTransactionManagerThatHasTheCheckAlreadyIsCheckedOnce() {
        assertThat(bean(JdbcTransactionManager.class).getTransactionExecutionListeners())
                .filteredOn(OwnershipCheck.class::isInstance)
                .hasSize(1);
    }

    private static <T> T bean(Class<T> type) {
        return application.getBean(type);
    }

    private static LockRegistry registryBean() {
        return bean(LockRegistry.class);
    }

    private static TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(bean(JdbcTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }
}
