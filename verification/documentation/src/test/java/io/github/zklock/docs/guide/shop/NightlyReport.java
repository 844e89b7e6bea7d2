package io.github.zklock.docs.guide.shop;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.RunOncePer;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

@Service
class NightlyReport {

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger closings = new AtomicInteger();

    // snippet:job
    @Scheduled(cron = "0 0 3 * * *")
    @DistributedLock(value = "/nightly", waitTime = "0", onBusy = OnBusy.SKIP)
    void nightly() {
        runs.incrementAndGet();
    }
    // end:job

    // snippet:once
    @Scheduled(cron = "0 0 * * * *")
    @RunOncePer(window = "1h", name = "/closing")
    void closing() {
        closings.incrementAndGet();
    }
    // end:once

    @OnOneInstance("/hourly")
    public void hourly() {
        runs.incrementAndGet();
    }

    public int closings() {
        return closings.get();
    }

    public int runs() {
        return runs.get();
    }
}
