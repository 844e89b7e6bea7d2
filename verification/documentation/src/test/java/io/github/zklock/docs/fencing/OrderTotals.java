package io.github.zklock.docs.fencing;

import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Totals in fenced transactions: neither the code nor the table knows of the fence. */
@Service
class OrderTotals {

    private final Orders orders;
    private final DailyReports reports;

    OrderTotals(Orders orders, DailyReports reports) {
        this.orders = orders;
        this.reports = reports;
    }

    // snippet:fenced
    @DistributedLock("/totals/#{#day}")
    @Transactional
    public void add(LocalDate day) {
        DailyReport report = reports.findById(day).orElseThrow();
        report.total += orders.totalOf(day);
    }
    // end:fenced
}
