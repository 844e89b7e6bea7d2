package io.github.zklock.docs.fencing;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import java.time.LocalDate;
import org.springframework.stereotype.Service;

/** Reports that are written under a handle. */
@Service
class Reporting {

    private final LockRegistry locks;
    private final Orders orders;
    private final DailyReports reports;

    Reporting(LockRegistry locks, Orders orders, DailyReports reports) {
        this.locks = locks;
        this.orders = orders;
        this.reports = reports;
    }

    void report(LocalDate day) throws InterruptedException {
        try (LockHandle handle = locks.lock("/reports/" + day).acquire(Duration.ofSeconds(10))) {
            long total = orders.totalOf(day);
            if (reports.write(day, total, handle.fencingToken().value()) == 0) {
                throw new StaleWriteException("Report of " + day, handle.fencingToken());
            }
        }
    }
}
