package com.example.ordershop.statistics;

import java.time.LocalDate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Who answers what the statistics of a day are, and whether they are right. */
@Service
class StatisticsDesk {

    private static final String ROWS = """
            select product, orders, amount_cents, fence from order_stats
            where sales_day = :day order by product""";

    private static final String TRUTH = """
            select count(*) as orders, coalesce(sum(amount_cents), 0) as amount_cents from orders
            where sales_day = :day and completed""";

    private final JdbcClient jdbc;

    StatisticsDesk(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Statistics and truth of one moment: without that isolation an order that is completed meanwhile looks like an error. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    Statistics of(LocalDate day) {
        var rows = jdbc.sql(ROWS).param("day", day).query(Statistics.Row.class).list();
        var truth = jdbc.sql(TRUTH).param("day", day).query(Totals.class).single();
        long refused = jdbc.sql("select count(*) from refused_write where sales_day = :day")
                .param("day", day)
                .query(Long.class)
                .single();
        return Statistics.of(day, rows, truth, refused);
    }
}
