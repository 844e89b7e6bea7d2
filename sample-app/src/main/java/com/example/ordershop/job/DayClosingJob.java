package com.example.ordershop.job;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.statistics.ReportService;
import io.github.zklock.annotation.RunOncePer;
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
    @RunOncePer(window = "${ordershop.closing-interval}", name = "/jobs/closing")
    void run() {
        reports.closeDaysBefore(LocalDate.now(ZoneId.systemDefault()));
        runs.add(shop.instance());
    }
}
