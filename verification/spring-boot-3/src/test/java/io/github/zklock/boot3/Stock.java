package io.github.zklock.boot3;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import java.util.Optional;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

@Service
class Stock {

    private final LockRegistry locks;
    private final Warehouse warehouse;

    Stock(LockRegistry locks, Warehouse warehouse) {
        this.locks = locks;
        this.warehouse = warehouse;
    }

    // snippet:methods
    boolean put(int items) throws InterruptedException {
        // waits without a limit
        return locks.executeLocked("/stock", handle -> {
            long sum = warehouse.items() + items;
            handle.ensureHeld(); // or LockLostException
            return warehouse.store(sum, handle.fencingToken().value());
        });
    }

    boolean take(int items) throws InterruptedException {
        try (LockHandle handle = locks.lock("/stock").acquire(Duration.ofSeconds(5))) { // or LockTimeoutException
            long rest = warehouse.items() - items;
            handle.ensureHeld();
            return rest >= 0 && warehouse.store(rest, handle.fencingToken().value());
        }
    }

    @Scheduled(cron = "${stock.report}")
    void report() throws InterruptedException {
        Optional<LockHandle> acquired = locks.lock("/report").tryAcquire();
        if (acquired.isEmpty()) {
            return; // another instance reports
        }
        try (LockHandle handle = acquired.get()) {
            warehouse.report();
        }
    }
    // end:methods
}
