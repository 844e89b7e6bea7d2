package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of JPA inside each other under one lock: their connections end before their synchronizations. */
@OnFencingApplication
@TestPropertySource(
        properties = {
            "zk.lock.fence.jdbc.names=/totals/**",
            "spring.datasource.url=jdbc:h2:mem:fenced-jpa;MODE=PostgreSQL;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1000"
        })
class FencedJpaAttackTest {

    @Autowired
    DailyReports reports;

    @Autowired
    LockRegistry locks;

    @Autowired
    PlatformTransactionManager manager;

    @Autowired
    JdbcClient database;

    @Test
    void theTokenOfACommitInsideATransactionThatWasRolledBackRemains() {
        LocalDate day = LocalDate.of(2026, 3, 1);
        String lock = "/totals/" + day;
        reports.saveAndFlush(new DailyReport(day));

        assertThatThrownBy(() -> locks.executeLocked(
                        lock,
                        handle -> required().execute(outer -> {
                            requiresNew()
                                    .executeWithoutResult(
                                            inner -> reports.findById(day).orElseThrow().total = 7);
                            throw new IllegalArgumentException("rolls the outer transaction back");
                        })))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(reports.findById(day).orElseThrow().total).isEqualTo(7);
        assertThat(database.sql("select token from zk_lock_fence where lock_name = ?")
                        .param(lock)
                        .query(Long.class)
                        .single())
                .isPositive();
    }

    @Test
    void aTransactionAfterTheCommitOfTheOneAroundItLocksTheRow() throws Exception {
        LocalDate day = LocalDate.of(2026, 3, 2);
        String lock = "/totals/" + day;
        reports.saveAndFlush(new DailyReport(day));
        List<Throwable> ofOther = new ArrayList<>();

        try (LockHandle handle = locks.lock(lock).acquire();
                LockContext.Scope scope = LockContext.open(handle)) {
            required()
                    .executeWithoutResult(outer ->
                            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                                @Override
                                public void afterCommit() {
                                    requiresNew().executeWithoutResult(inner -> {
                                        reports.findById(day).orElseThrow().total = 7;
                                        CompletableFuture.runAsync(() -> {
                                                    try (LockContext.Scope same = LockContext.open(handle)) {
                                                        ofOther.add(catchThrowable(
                                                                () -> required().executeWithoutResult(status -> {})));
                                                    }
                                                })
                                                .join();
                                    });
                                }
                            }));
        }

        assertThat(ofOther).hasSize(1).first().isInstanceOf(CannotAcquireLockException.class);
        assertThat(reports.findById(day).orElseThrow().total).isEqualTo(7);
    }

    private TransactionTemplate required() {
        return new TransactionTemplate(manager);
    }

    private TransactionTemplate requiresNew() {
        TransactionTemplate template = required();
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }
}
