// snippet:file
// src/main/java/com/example/turns/Report.java
package com.example.turns;

import io.github.zklock.annotation.DistributedLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class Report {

    private static final Logger log = LoggerFactory.getLogger(Report.class);

    @Scheduled(fixedDelay = 200)
    @DistributedLock("/report")
    public void write() throws InterruptedException {
        log.info("begins the report");
        Thread.sleep(1_000); // the work
        log.info("ends the report");
    }
}
// end:file
