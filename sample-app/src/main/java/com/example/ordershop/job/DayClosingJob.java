package com.example.ordershop.job;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.statistics.ReportService;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import java.time.LocalDate;
import java.time.ZoneId;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Closes past days, once per interval in the whole cluster. */
@Component
class DayClosingJob {

    private final ReportService reports;
    private final JobRunRepository runs;
    private final ShopProperties shop;

    DayClosingJob(ReportService reports, JobRunRepository runs, ShopProperties shop) {
        this.reports = reports;
        this.runs = runs;
        this.shop = shop;
    }

    /**
     * Called on every instance at the same rate. An instance skips its call if another one runs the job, or has begun a
     * run within the interval.
     */
    @Scheduled(fixedRateString = "${ordershop.closing-interval}", initialDelayString = "${ordershop.closing-interval}")
    @DistributedLock(
            value = "/jobs/closing",
            oncePer = "${ordershop.closing-interval}",
            waitTime = "0",
            onBusy = OnBusy.SKIP)
    void run() {
        reports.closeDaysBefore(LocalDate.now(ZoneId.systemDefault()));
        runs.add(shop.instance());
    }
}
