package io.github.zklock.docs.guide.wiring;

import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

// snippet:tasks
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
class Tasks {

    @Scheduled(cron = "0 0 3 * * *")
    @SchedulerLock(name = "nightlyReport", lockAtLeastFor = "PT1M")
    void report() {
        System.out.println("the report of the night");
    }
}
// end:tasks
