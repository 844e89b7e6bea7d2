package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.CommitDespiteLockLoss;
import io.github.zklock.annotation.DistributedLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Attacks with locked calls in callbacks of a transaction, before and after its commit. */
class CallbackAttackTest extends TransactionTest {

    private static ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @Import({OrderTable.class, Orders.class})
    static class Shop {}

    static class Orders {

        private final OrderTable table;

        Orders(OrderTable table) {
            this.table = table;
        }

        @DistributedLock("/attack/add")
        public void add(String id, boolean losing, @Nullable LockHandle handle) {
            table.add(id);
            if (losing) {
                lose(Objects.requireNonNull(handle));
            }
        }

        @CommitDespiteLockLoss
        @Transactional
        public void audit(Runnable work) {
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

    private static <T> T bean(Class<T> type) {
        return application.getBean(type);
    }

    private static TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(bean(JdbcTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static void beforeCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                callback.run();
            }
        });
    }

    /** Registers a callback that is called before that of other synchronizations. */
    private static void afterCompletion(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return Ordered.HIGHEST_PRECEDENCE;
            }

            @Override
            public void afterCompletion(int status) {
                callback.run();
            }
        });
    }

    private static void addAndLose(String id) {
        try {
            bean(Orders.class).add(id, true, null);
        } catch (LockLostException caught) {
            // as an application that catches too much
        }
    }

    @Test
    void aLossInACallbackBeforeTheCommitPreventsIt() {
        assertThatThrownBy(() -> transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                        .executeWithoutResult(status -> beforeCommit(() -> addAndLose("callback"))))
                .isInstanceOf(LockLostException.class);

        assertThat(bean(OrderTable.class).has("callback")).isFalse();
    }

    @Test
    void aLossInACallbackAfterOtherLockedCallsPreventsTheCommit() {
        assertThatThrownBy(() -> transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                        .executeWithoutResult(status -> {
                            bean(Orders.class).add("before", false, null);
                            beforeCommit(() -> addAndLose("callback-2"));
                        }))
                .isInstanceOf(LockLostException.class);

        assertThat(bean(OrderTable.class).has("callback-2")).isFalse();
    }

    @Test
    void anExemptionEndsWithItsTransaction() {
        List<Throwable> failures = new ArrayList<>();

        bean(Orders.class)
                .audit(() -> afterCompletion(() -> {
                    try {
                        bean(LockRegistry.class).executeLocked("/attack/later", handle -> {
                            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                    .executeWithoutResult(status -> {
                                        bean(OrderTable.class).add("later");
                                        lose(handle);
                                    });
                            return true;
                        });
                    } catch (Exception failure) {
                        failures.add(failure);
                    }
                }));

        assertThat(bean(OrderTable.class).has("later")).isFalse();
        assertThat(failures).hasExactlyElementsOfTypes(LockLostException.class);
    }

    @Test
    void aLockThatIsAcquiredInACallbackIsReleased() throws InterruptedException {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCompletion() {
                                bean(Orders.class).add("completing", false, null);
                            }

                            @Override
                            public void afterCommit() {
                                bean(Orders.class).add("committed", false, null);
                            }

                            @Override
                            public void afterCompletion(int outcome) {
                                transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                        .executeWithoutResult(
                                                own -> bean(Orders.class).add("completed", false, null));
                            }
                        }));

        assertThat(bean(OrderTable.class).has("completed")).isTrue();
        assertThat(LockContext.current()).isEmpty();
        awaitFreeForOthers("/attack/add");
    }
}
