package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;
import java.time.LocalDate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The rows of the statistics in the database. Each method is a transaction, and none of them knows of the others. */
@Repository
class StatisticsTable {

    private static final String MAKE = """
            insert into order_stats (sales_day, product, orders, amount_cents, fence)
            values (:day, :product, 0, 0, 0) on conflict do nothing""";

    private static final String READ = """
            select sales_day as "day", product, orders, amount_cents from order_stats
            where sales_day = :day and product = :product""";

    private static final String CLAIM = """
            update order_stats set fence = :token
            where sales_day = :day and product = :product and fence < :token""";

    private static final String WRITE = """
            update order_stats set orders = :orders, amount_cents = :amountCents
            where sales_day = :day and product = :product and fence = :token""";

    private final JdbcClient jdbc;

    StatisticsTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The row as it is now, and as it stays until somebody with a newer token comes: raises the fence before reading, so that
     * nobody with an older one writes between this and the write.
     *
     * @throws StaleWriteException if somebody with a newer token has come before
     */
    @Transactional
    StatisticsRow claim(LocalDate day, String product, FencingToken token) {
        make(day, product);
        int claimed = jdbc.sql(CLAIM)
                .param("day", day)
                .param("product", product)
                .param("token", token.value())
                .update();
        if (claimed == 0) {
            throw new StaleWriteException(product + " on " + day, token);
        }
        return row(day, product);
    }

    /**
     * Writes the row that was claimed with this token, and marks the order that was added as completed.
     *
     * @throws StaleWriteException if somebody with a newer token has claimed it since
     * @throws AlreadyCountedException if the order was completed before
     */
    @Transactional
    void write(StatisticsRow row, Sale added, FencingToken token) {
        int written = jdbc.sql(WRITE)
                .param("day", row.day())
                .param("product", row.product())
                .param("orders", row.orders())
                .param("amountCents", row.amountCents())
                .param("token", token.value())
                .update();
        if (written == 0) {
            throw new StaleWriteException(row.product() + " on " + row.day(), token);
        }
        markCompleted(added);
    }

    private void make(LocalDate day, String product) {
        jdbc.sql(MAKE).param("day", day).param("product", product).update();
    }

    private StatisticsRow row(LocalDate day, String product) {
        return jdbc.sql(READ)
                .param("day", day)
                .param("product", product)
                .query(StatisticsRow.class)
                .single();
    }

    /** In the transaction of the write: an order is completed exactly if the row that counts it was written. */
    private void markCompleted(Sale sale) {
        int marked = jdbc.sql("update orders set completed = true where id = :id and not completed")
                .param("id", sale.orderId())
                .update();
        if (marked == 0) {
            throw new AlreadyCountedException(sale.orderId());
        }
    }
}
