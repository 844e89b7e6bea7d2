package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.config.TestApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The values of {@link InTransaction} other than {@code HOLD}. */
class TransactionRuleTest extends TransactionTest {

    private static ConfigurableApplicationContext releasing;
    private static ConfigurableApplicationContext refusing;

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class Shop {}

    static class Orders {

        private final OrderTable table;

        Orders(OrderTable table) {
            this.table = table;
        }

        @DistributedLock("/rules")
        public void place(String id) {
            table.add(id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(proxyTargetClass = true, inTransaction = InTransaction.RELEASE)
    static class Releasing {}

    @BeforeAll
    static void startApplications() {
        releasing = start(TestApplication.of().enabledBy(Releasing.class), Shop.class);
        refusing = start(TestApplication.of().enabledBy(Refusing.class), Shop.class);
    }

    @AfterAll
    static void stopApplications() {
        releasing.close();
        refusing.close();
    }

    @Test
    void releaseReleasesTheLockBeforeTheCommit() {
        transaction(releasing).executeWithoutResult(status -> {
            releasing.getBean(Orders.class).place("released");

            assertThat(heldNow()).isEmpty();
            assertThat(releasing.getBean(LockRegistry.class).inspector().held()).isEmpty();
        });
    }

    @Test
    void refuseRunsNothingAndRequestsNoLock() {
        TransactionTemplate transaction = transaction(refusing);
        transaction.setName("placing");

        assertThatThrownBy(() -> transaction.executeWithoutResult(
                        status -> refusing.getBean(Orders.class).place("refused")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Lock '/rules' not acquired: transaction 'placing' runs already, and zk.lock.transaction is"
                        + " 'refuse'. Call the locked method before the transaction begins, or set zk.lock.transaction"
                        + " to 'hold', which keeps the lock until the transaction is over");
        assertThat(refusing.getBean(OrderTable.class).has("refused")).isFalse();
        assertThat(refusing.getBean(LockRegistry.class).inspector().session().renewals())
                .isZero();
    }

    @Test
    void refusePermitsALockOutsideTransactions() {
        refusing.getBean(Orders.class).place("outside");

        assertThat(refusing.getBean(OrderTable.class).has("outside")).isTrue();
    }

    @Test
    void refusePermitsReentryOfALockAroundTheTransaction() throws InterruptedException {
        refusing.getBean(LockRegistry.class).executeLocked("/rules", handle -> {
            transaction(refusing)
                    .executeWithoutResult(
                            status -> refusing.getBean(Orders.class).place("re-entered"));
            assertThat(handle.isHeld()).isTrue();
            return handle;
        });

        assertThat(refusing.getBean(OrderTable.class).has("re-entered")).isTrue();
    }

    private static TransactionTemplate transaction(ConfigurableApplicationContext application) {
        return new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    }
}
