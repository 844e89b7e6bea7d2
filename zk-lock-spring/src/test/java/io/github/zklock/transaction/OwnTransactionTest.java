package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnLost;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Annotated methods with their own transactions that are called inside another transaction, under {@code hold}. */
class OwnTransactionTest extends TransactionTest {

    private static ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class Shop {

        @Bean
        @Primary
        JdbcTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }

        @Bean
        JdbcTransactionManager elsewhere() {
            return new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:elsewhere;DB_CLOSE_DELAY=-1"));
        }
    }

    static class Orders {

        private final OrderTable table;
        private final ObjectProvider<Orders> self;

        Orders(OrderTable table, ObjectProvider<Orders> self) {
            this.table = table;
            this.self = self;
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void requiresNew(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void requiresNewWithin(String id, int depth, List<Integer> held, int ownLocks) {
            if (depth > 0) {
                self.getObject().requiresNewWithin(id + "x", depth - 1, held, ownLocks + 1);
                held.add(heldNow().size() - ownLocks);
            }
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void notSupported(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.NEVER)
        public void never(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.REQUIRED)
        public void required(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.SUPPORTS)
        public void supports(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.MANDATORY)
        public void mandatory(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.NESTED)
        public void nested(String id) {
            table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional("elsewhere")
        public void requiredElsewhere(String id) {}

        @DistributedLock("/own/#{#id}")
        @Transactional(transactionManager = "elsewhere", propagation = Propagation.NOT_SUPPORTED)
        public void notSupportedElsewhere(String id) {
            table.add(id);
        }

        @DistributedLock(name = "/own/#{#id}", onLost = OnLost.THROW_AFTER)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void requiresNewAndLose(String id, @Nullable LockHandle handle) {
            table.add(id);
            lose(handle);
        }

        @DistributedLock("/own/#{#id}")
        public void programmatic(String id, Runnable work) {
            work.run();
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

    @AfterEach
    void nothingIsLeft() {
        assertThat(heldNow()).isEmpty();
        assertThat(application.getBean(LockRegistry.class).inspector().held()).isEmpty();
    }

    @Test
    void aThousandMethodsWithTransactionsOfTheirOwnHoldOneLockAtATime() {
        inTransaction(() -> {
            for (int i = 0; i < 1_000; i++) {
                orders().requiresNew("loop" + i);
                assertThat(heldNow()).isEmpty();
                assertThat(application.getBean(LockRegistry.class).inspector().held())
                        .isEmpty();
            }
        });

        assertThat(table().has("loop999")).isTrue();
    }

    @Test
    void aMethodThatBeginsItsOwnTransactionReleasesItsLockAfterItsCommit() throws InterruptedException {
        inTransaction(() -> {
            orders().requiresNew("commits");

            assertThat(heldNow()).isEmpty();
            assertThat(table().has("commits")).isTrue();
        });

        awaitFreeForOthers("/own/commits");
    }

    @Test
    void aMethodThatCallsItselfInNewTransactionsReleasesEachLockWithItsTransaction() {
        List<Integer> held = new ArrayList<>();

        inTransaction(() -> orders().requiresNewWithin("deep", 3, held, 1));

        assertThat(held).containsExactly(0, 0, 0);
    }

    @Test
    void aMethodThatRunsOutsideTheTransactionReleasesItsLock() {
        inTransaction(() -> {
            orders().notSupported("not supported");

            assertThat(heldNow()).isEmpty();
        });
    }

    @Test
    void aMethodThatCannotRunInTheTransactionKeepsItsLock() {
        inTransaction(() -> {
            assertThatThrownBy(() -> orders().never("never")).isInstanceOf(IllegalTransactionStateException.class);

            assertThat(heldNow()).containsExactly("/own/never");
        });
    }

    @Test
    void methodsThatTakePartInTheTransactionKeepTheirLocks() {
        inTransaction(() -> {
            orders().required("required");
            orders().supports("supports");
            orders().mandatory("mandatory");
            orders().nested("nested");

            assertThat(heldNow()).containsExactly("/own/required", "/own/supports", "/own/mandatory", "/own/nested");
        });
    }

    @Test
    void aMethodThatBeginsATransactionOfAnotherManagerReleasesItsLock() {
        inTransaction(() -> {
            orders().requiredElsewhere("elsewhere");

            assertThat(heldNow()).isEmpty();
        });
    }

    @Test
    void aMethodForWhichAnotherManagerCannotSuspendTheTransactionKeepsItsLock() {
        inTransaction(() -> {
            orders().notSupportedElsewhere("not elsewhere");

            assertThat(heldNow()).containsExactly("/own/not elsewhere");
        });
    }

    @Test
    void aNewTransactionInsideTheMethodDoesNotEndItsLock() {
        inTransaction(() -> {
            orders().programmatic(
                            "programmatic",
                            () -> template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                    .executeWithoutResult(inner -> table().add("inner of programmatic")));

            assertThat(heldNow()).containsExactly("/own/programmatic");
        });
    }

    @Test
    void aLossInATransactionOfItsOwnRollsBackOnlyThatOne() {
        inTransaction(() -> {
            table().add("outer of lost");
            assertThatThrownBy(() -> orders().requiresNewAndLose("lost own", null))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageEndingWith("its transaction is rolled back");
        });

        assertThat(table().has("lost own")).isFalse();
        assertThat(table().has("outer of lost")).isTrue();
    }

    private static void inTransaction(Runnable work) {
        template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> work.run());
    }

    private static TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static Orders orders() {
        return application.getBean(Orders.class);
    }

    private static OrderTable table() {
        return application.getBean(OrderTable.class);
    }
}
