package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/**
 * Recomputes the statistics for each completed order: read a row, add the order, write the row. Without a lock, two instances
 * can read the same row, and the second write overwrites the first one.
 */
@Service
public class StatisticsService {

    private static final String CREATE = """
            insert into order_stats (sales_day, product, orders, amount_cents)
            values (:day, :product, 0, 0) on conflict do nothing""";

    private static final String READ = """
            select sales_day as "day", product, orders, amount_cents from order_stats
            where sales_day = :day and product = :product""";

    private static final String WRITE = """
            update order_stats set orders = :orders, amount_cents = :amountCents
            where sales_day = :day and product = :product""";

    private static final String COMPLETE = "update orders set completed = true where id = :orderId and not completed";

    private final JdbcClient jdbc;

    StatisticsService(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Adds a sale under a lock that one caller in the cluster holds at a time, and marks its order as completed.
     *
     * <p>A process that is paused until its session expires loses the lock, and works on when it continues. Because of the
     * property {@code zk.lock.fence.jdbc.names}, the transaction begins with a statement that compares its fencing token
     * with that of the latest holder, so the database rejects a late transaction.
     *
     * @param token set by the lock; callers pass null
     * @return the token
     * @throws io.github.zklock.LockLostException if the lock was lost; nothing was changed
     */
    @DistributedLock("/order-stats")
    @Transactional
    public FencingToken add(Sale sale, @Nullable FencingToken token) {
        jdbc.sql(CREATE).paramSource(sale).update();
        StatisticsRow row =
                jdbc.sql(READ).paramSource(sale).query(StatisticsRow.class).single();
        jdbc.sql(WRITE).paramSource(row.plus(sale)).update();
        if (jdbc.sql(COMPLETE).paramSource(sale).update() == 0) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "Order " + sale.orderId() + " is already completed");
        }
        return Objects.requireNonNull(token);
    }

    List<StatisticsRow> ofDay(LocalDate day) {
        return jdbc.sql("""
                        select sales_day as "day", product, orders, amount_cents from order_stats
                        where sales_day = ? order by product""").param(day).query(StatisticsRow.class).list();
    }
}
