package com.example.ordershop.job;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.statistics.ReportService;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import java.time.LocalDate;
import java.time.ZoneId;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Closes past days, on one instance of the cluster at a time. */
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
     * Runs on every instance at the same rate. If another instance holds the lock, this instance skips the run. The job
     * is short, so it keeps the lock for most of the interval. Otherwise an instance with a slower clock would run it
     * again.
     */
    @Scheduled(fixedRateString = "${ordershop.closing-interval}", initialDelayString = "${ordershop.closing-interval}")
    @DistributedLock(
            value = "/jobs/closing",
            waitTime = "0",
            onBusy = OnBusy.SKIP,
            holdAtLeast = "${ordershop.closing-hold}")
    void run() {
        reports.closeDaysBefore(LocalDate.now(ZoneId.systemDefault()));
        runs.add(shop.instance());
    }
}
