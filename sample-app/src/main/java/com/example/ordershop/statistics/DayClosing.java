package com.example.ordershop.statistics;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.LockMode;
import java.time.LocalDate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Closes days: puts down what they came to. */
@Service
public class DayClosing {

    private static final String CLOSE = """
            insert into closed_day (sales_day, orders, amount_cents)
            select sales_day, sum(orders), sum(amount_cents) from order_stats
            where sales_day < :today group by sales_day""";

    private final JdbcClient jdbc;

    DayClosing(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Closes all days before this one, those with late orders once more, under the write lock of {@link Report}: a day moves
     * from the running statistics to the closed ones, and no report is made while it does.
     *
     * <p>The lock is taken outside the transaction, so what was closed is committed when the next report is made.
     */
    @DistributedLock(value = Report.LOCK, mode = LockMode.WRITE)
    @Transactional
    public void closeDaysBefore(LocalDate today) {
        jdbc.sql("delete from closed_day where sales_day < :today")
                .param("today", today)
                .update();
        jdbc.sql(CLOSE).param("today", today).update();
    }

    /** How many orders nobody has completed yet. */
    public long openOrders() {
        return jdbc.sql("select count(*) from orders where not completed")
                .query(Long.class)
                .single();
    }
}
