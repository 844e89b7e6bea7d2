package com.example.ordershop.statistics;

import io.github.zklock.LockKind;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The report of all sales, and the closing of past days, which moves a day to another part of the report. */
@Service
public class ReportService {

    /** The sales of closed days, and the totals of all other days. */
    record Report(List<ClosedDay> closed, Totals running) {}

    record ClosedDay(LocalDate day, long orders, long amountCents) {}

    record Totals(long orders, long amountCents) {}

    private static final String LOCK = "/report";

    private static final String CLOSED = """
            select sales_day as "day", orders, amount_cents from closed_day order by sales_day""";

    private static final String RUNNING = """
            select coalesce(sum(orders), 0) as orders, coalesce(sum(amount_cents), 0) as amount_cents
            from order_stats where sales_day not in (select sales_day from closed_day)""";

    private static final String CLOSE = """
            insert into closed_day (sales_day, orders, amount_cents)
            select sales_day, sum(orders), sum(amount_cents) from order_stats
            where sales_day < ? group by sales_day""";

    private final JdbcClient jdbc;

    ReportService(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Reads both parts of the report. Read locks exclude only the write lock: reports can run at the same time. */
    @DistributedLock(value = LOCK, kind = LockKind.READ)
    Report report() {
        return new Report(
                jdbc.sql(CLOSED).query(ClosedDay.class).list(),
                jdbc.sql(RUNNING).query(Totals.class).single());
    }

    /** Closes all days before this one. The transaction commits before the lock is released. */
    @DistributedLock(value = LOCK, kind = LockKind.WRITE)
    @Transactional
    public void closeDaysBefore(LocalDate today) {
        jdbc.sql("delete from closed_day where sales_day < ?").param(today).update();
        jdbc.sql(CLOSE).param(today).update();
    }
}
