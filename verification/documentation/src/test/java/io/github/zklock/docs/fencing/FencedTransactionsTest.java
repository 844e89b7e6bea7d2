package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.fence.JdbcFence;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;

/** Transactions of JPA under locks that fence them: one property, no code. */
@OnFencingApplication
@TestPropertySource(
        properties = {
            "zk.lock.fence.jdbc.names=/totals/**",
            "spring.datasource.url=jdbc:h2:mem:fenced-transactions;MODE=PostgreSQL;DB_CLOSE_DELAY=-1"
        })
class FencedTransactionsTest {

    @Autowired
    OrderTotals totals;

    @Autowired
    DailyReports reports;

    @Autowired
    OtherProcess other;

    @Autowired
    LockRegistry locks;

    @Autowired
    TransactionOperations transactions;

    @Autowired
    PlatformTransactionManager manager;

    @Autowired
    JdbcClient database;

    @Autowired
    JdbcFence fence;

    @Test
    void aTransactionOfJpaRaisesTheRow() {
        assertThat(manager).isInstanceOf(JpaTransactionManager.class);
        LocalDate day = newDay(1);

        totals.add(day);

        assertThat(totalOf(day)).isEqualTo(PausedOrders.TOTAL);
        assertThat(tokenOf("/totals/" + day)).isPositive();
    }

    @Test
    void aHolderThatWasOvertakenDoesNotWork() throws InterruptedException {
        LocalDate day = newDay(2);
        String lock = "/totals/" + day;
        LockHandle lost = locks.lock(lock).acquire();
        List<FencingToken> later = new ArrayList<>();
        other.takeOver(lock, token -> {
            later.add(token);
            database.sql("insert into zk_lock_fence (lock_name, token, holder) values (?, ?, 'other')")
                    .param(lock)
                    .param(token.value())
                    .update();
        });
        long before = fence.rejected();

        try (LockContext.Scope scope = LockContext.open(lost)) {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> transactions.executeWithoutResult(status -> totals.add(day)))
                    .withMessageContaining("token " + lost.fencingToken())
                    .withMessageContaining("token " + later.get(0) + " of other");
        }

        assertThat(totalOf(day)).isZero();
        assertThat(fence.rejected()).isEqualTo(before + 1);
        OtherProcess.closeLost(lost);
    }

    private LocalDate newDay(int number) {
        LocalDate day = LocalDate.of(2026, 2, number);
        reports.saveAndFlush(new DailyReport(day));
        return day;
    }

    private long totalOf(LocalDate day) {
        return reports.findById(day).orElseThrow().total;
    }

    private long tokenOf(String lock) {
        return database.sql("select token from zk_lock_fence where lock_name = ?")
                .param(lock)
                .query(Long.class)
                .single();
    }
}
