package com.example.ordershop.demo.page;

import java.time.LocalDate;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Compares the statistics of a day with the totals of its completed orders. */
@RestController
class StatisticsCheckController {

    /**
     * The statistics of a day.
     *
     * @param truth totals of the completed orders
     */
    record Check(LocalDate day, List<Row> rows, long orders, long amountCents, Totals truth, boolean right) {}

    record Row(String product, long orders, long amountCents) {}

    record Totals(long orders, long amountCents) {}

    private static final String ROWS = """
            select product, orders, amount_cents from order_stats where sales_day = ? order by product""";

    private static final String TRUTH = """
            select count(*) as orders, coalesce(sum(amount_cents), 0) as amount_cents from orders
            where sales_day = ? and completed""";

    private final JdbcClient jdbc;

    StatisticsCheckController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Reads all tables at one point in time: otherwise, an order that is completed in between would look like an error. */
    @GetMapping("/statistics/check")
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    Check check(@RequestParam LocalDate day) {
        List<Row> rows = jdbc.sql(ROWS).param(day).query(Row.class).list();
        Totals truth = jdbc.sql(TRUTH).param(day).query(Totals.class).single();
        Totals counted = new Totals(
                rows.stream().mapToLong(Row::orders).sum(),
                rows.stream().mapToLong(Row::amountCents).sum());
        return new Check(day, rows, counted.orders(), counted.amountCents(), truth, counted.equals(truth));
    }
}
