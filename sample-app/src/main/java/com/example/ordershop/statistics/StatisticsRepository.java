package com.example.ordershop.statistics;

import com.example.ordershop.ShopProperties;
import io.github.zklock.FencingToken;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/** Rows of the statistics. Each method runs in a transaction of its own. */
@Repository
class StatisticsRepository {

    private static final String CREATE = """
            insert into order_stats (sales_day, product, orders, amount_cents, fence)
            values (:day, :product, 0, 0, 0) on conflict do nothing""";

    private static final String CLAIM = """
            update order_stats set fence = :token
            where sales_day = :day and product = :product and fence < :token""";

    private static final String READ = """
            select sales_day as "day", product, orders, amount_cents from order_stats
            where sales_day = :day and product = :product""";

    private static final String WRITE = """
            update order_stats set orders = :orders, amount_cents = :amountCents
            where sales_day = :day and product = :product and fence = :token""";

    private static final String RECORD_REFUSED = """
            insert into refused_write (sales_day, product, order_id, token, instance, refused_at)
            values (?, ?, ?, ?, ?, ?)""";

    private final JdbcClient jdbc;
    private final ShopProperties shop;

    StatisticsRepository(JdbcClient jdbc, ShopProperties shop) {
        this.jdbc = jdbc;
        this.shop = shop;
    }

    /**
     * Raises the fence of the row to the token, then reads the row. From then on, writes with an older token are rejected, so
     * the row does not change before the write unless a later holder claims it.
     *
     * @throws StaleWriteException if a later holder has claimed the row
     */
    @Transactional
    StatisticsRow claim(LocalDate day, String product, FencingToken token) {
        row(CREATE, day, product).update();
        if (row(CLAIM, day, product).param("token", token.value()).update() == 0) {
            throw new StaleWriteException(product + " on " + day, token);
        }
        return row(READ, day, product).query(StatisticsRow.class).single();
    }

    /**
     * Writes a claimed row and marks the added order as completed, in one transaction.
     *
     * @throws StaleWriteException if a later holder has claimed the row
     */
    @Transactional
    void write(StatisticsRow row, Sale added, FencingToken token) {
        int written = row(WRITE, row.day(), row.product())
                .param("orders", row.orders())
                .param("amountCents", row.amountCents())
                .param("token", token.value())
                .update();
        if (written == 0) {
            throw new StaleWriteException(row.product() + " on " + row.day(), token);
        }
        int completed = jdbc.sql("update orders set completed = true where id = ? and not completed")
                .param(added.orderId())
                .update();
        if (completed == 0) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT, "Order " + added.orderId() + " is already completed");
        }
    }

    @Transactional
    void recordRefused(Sale sale, FencingToken token) {
        jdbc.sql(RECORD_REFUSED)
                .params(sale.day(), sale.product(), sale.orderId(), token.value())
                .params(shop.instance(), OffsetDateTime.now(ZoneOffset.UTC))
                .update();
    }

    List<StatisticsRow> ofDay(LocalDate day) {
        return jdbc.sql("""
                        select sales_day as "day", product, orders, amount_cents from order_stats
                        where sales_day = ? order by product""").param(day).query(StatisticsRow.class).list();
    }

    private JdbcClient.StatementSpec row(String sql, LocalDate day, String product) {
        return jdbc.sql(sql).param("day", day).param("product", product);
    }
}
