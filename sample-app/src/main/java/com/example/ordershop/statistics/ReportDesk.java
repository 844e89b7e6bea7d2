package com.example.ordershop.statistics;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.LockMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Who makes the report. */
@Service
class ReportDesk {

    private static final String CLOSED = """
            select sales_day as "day", orders, amount_cents from closed_day order by sales_day""";

    private static final String RUNNING = """
            select coalesce(sum(orders), 0) as orders, coalesce(sum(amount_cents), 0) as amount_cents
            from order_stats where sales_day not in (select sales_day from closed_day)""";

    private final JdbcClient jdbc;

    ReportDesk(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The report, made of two queries under the read lock: a day that is closed between them would be counted twice or not
     * at all. Other reports may be made at the same time.
     */
    @DistributedLock(value = Report.LOCK, mode = LockMode.READ)
    Report report() {
        var closed = jdbc.sql(CLOSED).query(Report.ClosedDay.class).list();
        var running = jdbc.sql(RUNNING).query(Totals.class).single();
        return new Report(closed, running);
    }
}
