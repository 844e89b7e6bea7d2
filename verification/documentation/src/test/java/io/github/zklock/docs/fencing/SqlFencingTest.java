package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/** Holders that lost their lock to somebody else write nothing: rows, several rows, inserts. */
@OnFencingApplication
class SqlFencingTest {

    private static final long OF_THE_NEXT = 12;

    @Autowired
    OrderStats stats;

    @Autowired
    OrderStatsTable table;

    @Autowired
    Invoices invoices;

    @Autowired
    Fence fence;

    @Autowired
    TransactionOperations transactions;

    @Autowired
    LockRegistry locks;

    @Autowired
    PausedOrders orders;

    @Autowired
    OtherProcess other;

    @Test
    void aHolderWritesTheFirstRowAndTheNextOneWritesItAnew() {
        LocalDate day = LocalDate.of(2026, 1, 1);

        stats.recompute(day, null);

        assertThat(table.totalOf(day)).isEqualTo(PausedOrders.TOTAL);
        other.work("/order-stats", token -> table.write(day, OF_THE_NEXT, token));
        assertThat(table.totalOf(day)).isEqualTo(OF_THE_NEXT);
    }

    @Test
    void aHolderThatWasOvertakenWritesNoRow() {
        LocalDate day = LocalDate.of(2026, 1, 2);
        orders.meanwhile(() -> other.takeOver("/order-stats", token -> table.write(day, OF_THE_NEXT, token)));

        // refused by the table, whether or not this process knows of its loss by then
        assertThatExceptionOfType(StaleWriteException.class).isThrownBy(() -> stats.recompute(day, null));
        assertThat(table.totalOf(day)).isEqualTo(OF_THE_NEXT);
    }

    @Test
    void aTotalThatIsReadBeforeItIsClaimedCanLoseAWrite() {
        LocalDate day = LocalDate.of(2026, 1, 3);
        List<FencingToken> tokens = twoTokens();

        // the later holder reads, the earlier one writes in between, and nothing refuses either
        long read = table.totalOf(day);
        table.write(day, 5, tokens.get(0));
        table.write(day, read + 7, tokens.get(1));

        assertThat(table.totalOf(day)).as("5 + 7, had nothing been lost").isEqualTo(7);
    }

    @Test
    void aTotalThatIsClaimedBeforeItIsReadLosesNone() {
        LocalDate day = LocalDate.of(2026, 1, 4);
        List<FencingToken> tokens = twoTokens();
        table.claim(day, tokens.get(0));

        long read = table.claim(day, tokens.get(1));
        assertThatExceptionOfType(StaleWriteException.class)
                .isThrownBy(() -> table.writeClaimed(day, 5, tokens.get(0)));
        table.writeClaimed(day, read + 7, tokens.get(1));

        assertThat(table.totalOf(day)).isEqualTo(7);
    }

    @Test
    void whatIsAddedUnderTheLockAddsUp() {
        LocalDate day = LocalDate.of(2026, 1, 5);

        stats.add(day, 5, null);
        stats.add(day, 7, null);

        assertThat(table.totalOf(day)).isEqualTo(12);
    }

    @Test
    void aHolderInsertsAllItsRows() {
        LocalDate day = LocalDate.of(2026, 1, 6);

        invoices.issue(day, List.of(100L, 200L), null);

        assertThat(invoices.of(day)).containsExactly(100L, 200L);
    }

    @Test
    void aHolderThatWasOvertakenInsertsNothing() throws InterruptedException {
        LocalDate day = LocalDate.of(2026, 1, 7);
        LockHandle lost = locks.lock("/invoices").acquire();
        other.takeOver("/invoices", token -> insert(day, 100, token));

        assertThatExceptionOfType(StaleWriteException.class).isThrownBy(() -> insert(day, 300, lost.fencingToken()));

        assertThat(invoices.of(day)).containsExactly(100L);
        OtherProcess.closeLost(lost);
    }

    private void insert(LocalDate day, long cents, FencingToken token) {
        transactions.executeWithoutResult(transaction -> {
            fence.pass("/invoices", token);
            invoices.insert(day, cents);
        });
    }

    private List<FencingToken> twoTokens() {
        List<FencingToken> tokens = new ArrayList<>();
        other.work("/order-stats", tokens::add);
        other.work("/order-stats", tokens::add);
        return tokens;
    }
}
