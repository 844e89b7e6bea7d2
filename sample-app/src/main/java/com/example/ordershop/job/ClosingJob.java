package com.example.ordershop.job;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.statistics.DayClosing;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Closes the days that are over, again and again. */
@Component
class ClosingJob {

    private final DayClosing closing;
    private final JobRuns runs;
    private final ShopProperties shop;

    ClosingJob(DayClosing closing, JobRuns runs, ShopProperties shop) {
        this.closing = closing;
        this.runs = runs;
        this.shop = shop;
    }

    /**
     * Every instance has this clock, one of them does the work: who comes while another one is at it skips this run instead
     * of doing it once more afterwards. The work is quick, so the lock is kept for most of the interval; otherwise an
     * instance whose clock is a little behind would find it free again.
     */
    @Scheduled(fixedRateString = "${ordershop.closing-interval}", initialDelayString = "${ordershop.closing-interval}")
    @DistributedLock(
            value = "/jobs/closing",
            waitTime = "0",
            onBusy = OnBusy.SKIP,
            holdAtLeast = "${ordershop.closing-hold}")
    void run() {
        LocalDate today = LocalDate.now(ZoneId.systemDefault());
        closing.closeDaysBefore(today);
        runs.add(new JobRun(shop.instance(), Instant.now(), closing.openOrders()));
    }
}
